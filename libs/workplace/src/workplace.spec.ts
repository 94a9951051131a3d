import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { contentHash } from './content-hash.js';
import { computerName, readWorkplace } from './workplace.js';

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'perdure-workplace-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const git = (root: string, ...argv: string[]) => {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', [...identity, ...argv], { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] }).toString();
};

function repository(name: string, remote = 'git@forge.example.com:acme/shop.git'): string {
  const root = path.join(folder, name);
  mkdirSync(path.join(root, 'packages', 'cart'), { recursive: true });
  git(folder, 'init', '-q', '-b', 'main', root);
  git(root, 'remote', 'add', 'origin', remote);
  writeFileSync(path.join(root, 'a.txt'), 'a\n');
  writeFileSync(path.join(root, 'packages', 'cart', 'b.txt'), 'b\n');
  git(root, 'add', '-A');
  git(root, 'commit', '-qm', 'first');
  return root;
}

describe('readWorkplace', () => {
  it('C2: says root, remote, branch and folder', async () => {
    const root = repository('shop');
    expect(await readWorkplace(path.join(root, 'packages', 'cart'))).toEqual({
      root,
      remote: 'forge.example.com/acme/shop',
      branch: 'main',
      worktree: null,
      path: 'packages/cart',
    });
  });

  it('C2: a worktree in another folder and a second clone are the same project', async () => {
    const root = repository('shop');
    const linked = path.join(folder, 'worktrees', '3fa9', 'anything');
    git(root, 'worktree', 'add', '-q', '-b', 'fix', linked);
    const clone = repository('clone', 'https://token@FORGE.example.com:443/acme/Shop.git/');
    const places = await Promise.all([root, linked, clone].map(readWorkplace));
    expect(new Set(places.map((place) => place?.remote))).toEqual(new Set(['forge.example.com/acme/shop']));
    expect(places[1]).toMatchObject({ branch: 'fix', worktree: 'anything', root: linked });
  });

  it('C2: two detached worktrees are two branches of one project', async () => {
    const root = repository('shop');
    const linked = ['one', 'two'].map((id) => path.join(folder, id, 'shop'));
    for (const place of linked) git(root, 'worktree', 'add', '-q', '--detach', place);
    const branches = await Promise.all(linked.map(async (place) => (await readWorkplace(place))?.branch));
    expect(branches[0]).toMatch(/^\(detached\)\/shop/);
    expect(new Set(branches).size).toBe(2);
  });

  it('has a branch before the first commit', async () => {
    git(folder, 'init', '-q', '-b', 'trunk', 'empty');
    expect(await readWorkplace(path.join(folder, 'empty'))).toMatchObject({ branch: 'trunk', remote: null });
  });

  it('follows the remote of the branch where there is no origin', async () => {
    const root = repository('shop');
    git(root, 'remote', 'rename', 'origin', 'zebra');
    git(root, 'remote', 'add', 'ape', 'https://forge.example.com/fork/shop');
    expect((await readWorkplace(root))?.remote).toBe('forge.example.com/fork/shop');
    git(root, 'config', 'branch.main.remote', 'zebra');
    expect((await readWorkplace(root))?.remote).toBe('forge.example.com/acme/shop');
  });

  it('C2: outside git, and in a folder that is gone, there is none', async () => {
    expect(await readWorkplace(folder)).toBeNull();
    expect(await readWorkplace(path.join(folder, 'gone'))).toBeNull();
  });
});

it.each([
  ['ada.fritz.box', 'ada'],
  ['Ada.local', 'ada'],
  ['ada', 'ada'],
  ['', 'computer'],
])('a computer named %p is %s', (hostName, expected) => {
  expect(computerName(hostName)).toBe(expected);
});

describe('contentHash', () => {
  it('L3: a commit changes nothing; an edit, a new file, a deletion, a mode and a link do', async () => {
    const root = repository('shop');
    const seen = [await contentHash(root)];
    const same = async () => expect(await contentHash(root)).toBe(seen.at(-1));
    const another = async () => {
      const hash = await contentHash(root);
      expect(seen).not.toContain(hash);
      seen.push(hash);
    };
    await same();
    expect(seen[0]).toMatch(/^[0-9a-f]{64}$/);
    writeFileSync(path.join(root, 'a.txt'), 'changed\n');
    await another();
    git(root, 'add', '-A');
    await same();
    git(root, 'commit', '-qm', 'second');
    await same();
    writeFileSync(path.join(root, 'new\nline.txt'), 'new\n');
    symlinkSync('a.txt', path.join(root, 'link'));
    await another();
    git(root, 'add', '-A');
    git(root, 'commit', '-qm', 'third');
    await same();
    chmodSync(path.join(root, 'a.txt'), 0o755);
    await another();
    rmSync(path.join(root, 'packages'), { recursive: true });
    await another();
    git(root, 'commit', '-qam', 'fourth');
    await same();
  });

  it('L3: what is excepted or ignored does not count', async () => {
    const except = (file: string) => file.startsWith('.loop/state.json');
    const root = repository('shop');
    writeFileSync(path.join(root, '.git', 'info', 'exclude'), 'ignored\n');
    mkdirSync(path.join(root, '.loop'));
    const before = await contentHash(root, { except });
    writeFileSync(path.join(root, 'ignored'), 'x');
    writeFileSync(path.join(root, '.loop', 'state.json'), '{}');
    expect(await contentHash(root, { except })).toBe(before);
    writeFileSync(path.join(root, '.loop', 'goal.md'), 'x');
    expect(await contentHash(root, { except })).not.toBe(before);
  });

  it('changes nothing in the repository, and is null outside one', async () => {
    const root = repository('shop');
    writeFileSync(path.join(root, 'new.txt'), 'new\n');
    const objects = () => git(root, 'count-objects', '-v') + git(root, 'status', '--porcelain');
    const before = objects();
    await contentHash(root);
    expect(objects()).toBe(before);
    expect(await contentHash(folder)).toBeNull();
  });
});
