import type { CompiledGlob } from './compile-glob.js';
import { endingsOf, keyOf, type GlobKey } from './glob-key.js';
import type { RepositoryPath } from './normalize-path.js';

/** One alternative of the glob with that number, at the place of its key. */
interface Posting {
  readonly glob: number;
  readonly complete: boolean;
}

/** Postings by what they ask of the file's name. */
class NameTable {
  private readonly byName = new Map<string, Posting[]>();
  private readonly byEnding = new Map<string, Posting[]>();
  private readonly bySegment = new Map<string, NameTable>();
  private readonly any: Posting[] = [];

  add({ name, segment }: Pick<GlobKey, 'name' | 'segment'>, posting: Posting): void {
    if (segment !== null) this.tableOf(segment).add({ name, segment: null }, posting);
    else if (name.kind === 'name') push(this.byName, name.text, posting);
    else if (name.kind === 'ending') push(this.byEnding, name.text, posting);
    else this.any.push(posting);
  }

  collect(file: FileKeys, into: (readonly Posting[])[]): void {
    if (this.any.length > 0) into.push(this.any);
    collectFrom(this.byName, [file.name], into);
    collectFrom(this.byEnding, file.endings, into);
    if (this.bySegment.size === 0) return;
    for (const segment of file.segments) this.bySegment.get(segment)?.collect(file, into);
  }

  private tableOf(segment: string): NameTable {
    const table = this.bySegment.get(segment) ?? new NameTable();
    this.bySegment.set(segment, table);
    return table;
  }
}

const push = (table: Map<string, Posting[]>, key: string, posting: Posting): void => {
  const list = table.get(key);
  if (list) list.push(posting);
  else table.set(key, [posting]);
};

function collectFrom(table: Map<string, Posting[]>, keys: readonly string[], into: (readonly Posting[])[]): void {
  for (const key of keys) {
    const found = table.get(key);
    if (found) into.push(found);
  }
}

/** A directory that globs name, with those that start there. */
class DirectoryNode {
  readonly children = new Map<string, DirectoryNode>();
  readonly inside = new NameTable();
  readonly beneath = new NameTable();
}

const isUnkeyed = ({ directories, name, segment }: GlobKey): boolean =>
  directories.length === 0 && name.kind === 'none' && segment === null;

interface FileKeys {
  readonly name: string;
  readonly endings: readonly string[];
  readonly segments: readonly string[];
}

/**
 * Globs by their literal directories and the name or ending they ask for. A path meets only the nodes it passes
 * through, whatever the number of globs; most of what it finds there needs no expression.
 */
export class GlobIndex {
  /** Globs that every path leads to, such as `**`. */
  readonly unkeyed: ReadonlySet<number>;
  private readonly root = new DirectoryNode();

  /** @param globs are known by their index in this list */
  constructor(private readonly globs: readonly CompiledGlob[]) {
    const unkeyed = new Set<number>();
    globs.forEach((glob, number) => {
      const keys = glob.alternatives.map(keyOf);
      for (const key of keys) this.add(number, key);
      if (keys.some(isUnkeyed)) unkeyed.add(number);
    });
    this.unkeyed = unkeyed;
  }

  /** The numbers of the globs that match a path, negated ones as if they were not. Pauses after each expression. */
  *find(path: RepositoryPath): Generator<void, Set<number>> {
    const lists = this.postingsFor(path);
    const found = new Set<number>();
    const missed = new Set<number>();
    const isDirectory = path.segments.at(-1) === '';
    for (const list of lists) {
      for (const { glob, complete } of list) {
        if (found.has(glob)) continue;
        // The keys speak of names; a directory has an empty one, which only an expression judges.
        if (complete && !isDirectory) found.add(glob);
        else if (!missed.has(glob)) {
          (this.globs[glob]?.matches(path.text) ? found : missed).add(glob);
          yield;
        }
      }
    }
    return found;
  }

  private add(glob: number, key: GlobKey): void {
    let node = this.root;
    for (const directory of key.directories) {
      const child = node.children.get(directory) ?? new DirectoryNode();
      node.children.set(directory, child);
      node = child;
    }
    const table = key.depth === 'in' ? node.inside : node.beneath;
    table.add(key, { glob, complete: key.complete });
  }

  private postingsFor({ segments }: RepositoryPath): (readonly Posting[])[] {
    const name = segments.at(-1) ?? '';
    const file: FileKeys = { name, endings: endingsOf(name), segments };
    const lists: (readonly Posting[])[] = [];
    let node: DirectoryNode | undefined = this.root;
    for (let depth = 0; node && depth < segments.length; depth += 1) {
      node.beneath.collect(file, lists);
      if (depth === segments.length - 1) node.inside.collect(file, lists);
      node = node.children.get(segments[depth] ?? '');
    }
    return lists;
  }
}
