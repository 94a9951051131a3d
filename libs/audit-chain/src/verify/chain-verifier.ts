import { equalBytes, toHex } from '../bytes.js';
import { DIGEST_BYTES, genesisHash } from '../digests.js';
import { MerkleAccumulator } from '../merkle-accumulator.js';
import { judgeContent } from './content-judgement.js';
import { judgeEntryHash } from './entry-judgement.js';
import { severityOf, type Fault, type Finding } from './finding.js';
import { LinkedEvents } from './linked-events.js';
import { SegmentRuns, type Segment } from './segment-runs.js';
import type { StoredEntry } from './stored-entry.js';

/** Where a walk that does not start at entry 0 picks up: what is known, and trusted, of the entry before it. */
export interface VerifyFrom {
  /** First sequence number expected. Default 0. */
  fromSeq?: number;
  /** Stored hash of the entry before. Default genesis at 0; elsewhere the first link is then not judged. */
  prevHash?: Uint8Array;
  /** `linkedAt` of the entry before. */
  linkedAt?: string;
}

export interface VerifyResult {
  /** No finding is an error. */
  ok: boolean;
  /** Entries the chain has as walked: the highest sequence number seen, plus one. */
  size: number;
  /**
   * RFC 6962 root over the stored entry hashes, lower-case hex. Empty when the walk began after entry 0 or met entries missing
   * or with a hash that is not 32 bytes: the tree covers a whole chain.
   */
  root: string;
  /** Entries judged ok or not (missing ones are not), in order, without overlap. */
  segments: Segment[];
  /** In order of seq; those without one last. */
  findings: Finding[];
}

/** The last entry of the walk, if it can be trusted to be the one that belongs there. */
interface Predecessor {
  hash: Uint8Array;
  linkedAt: string;
}

/**
 * Judges a stored chain entry by entry, in memory that does not grow with it (but for findings, and event ids up to a bound).
 * Push entries in order of seq and finish with the head. Where a writer is at work, read the head first and push no entry
 * beyond its size.
 *
 * Every entry is judged on its own: by its hash, event and payload. Its link to the one before is judged only when that one
 * was sound as a link, so that one bad entry is one finding and not one for each that follows. What a complete and consistent
 * rewrite of entries and head changes is the root: only a root kept outside can show it.
 */
export class ChainVerifier {
  private readonly findings: Finding[] = [];
  private readonly gaps: { from: number; to: number }[] = [];
  private readonly runs = new SegmentRuns();
  private readonly linkedEvents = new LinkedEvents();
  private readonly firstSeq: number;
  private nextSeq: number;
  private predecessor: Predecessor | undefined;
  private tree: MerkleAccumulator | undefined;

  /** @throws TypeError when `fromSeq` is not a safe integer ≥ 0 or the workspace id is not well-formed. */
  constructor(
    private readonly workspaceId: string,
    from: VerifyFrom = {},
  ) {
    this.firstSeq = from.fromSeq ?? 0;
    assertSeq(this.firstSeq);
    this.nextSeq = this.firstSeq;
    const hash = from.prevHash ?? (this.firstSeq === 0 ? genesisHash(workspaceId) : undefined);
    if (hash) this.predecessor = { hash, linkedAt: from.linkedAt ?? '' };
    if (this.firstSeq === 0) this.tree = new MerkleAccumulator();
  }

  /**
   * Judges the next entry. Bad stored data becomes a finding.
   * @throws TypeError when `seq` is no integer or lies before `fromSeq`: a mistake of the caller (a bigint column read as text).
   */
  push(entry: StoredEntry): void {
    assertSeq(entry.seq);
    if (entry.seq < this.firstSeq) throw new TypeError(`entry ${entry.seq} lies before fromSeq ${this.firstSeq}`);
    if (entry.seq < this.nextSeq) {
      this.report(entry, this.judgeLate(entry));
      return;
    }
    if (entry.seq > this.nextSeq) this.skipTo(entry.seq);
    this.advance(entry);
  }

  /** Compares the end of the walk with the head (null: there is none) and gives the result. Call it once, at the end. */
  finish(head: { size: number; headHash: Uint8Array } | null): VerifyResult {
    for (const { from, to } of this.gaps) this.reportGap(from, to);
    this.judgeHead(head);
    const findings = this.findings.toSorted((a, b) => (a.seq ?? Infinity) - (b.seq ?? Infinity));
    return {
      ok: findings.every((finding) => finding.severity === 'warning'),
      size: this.nextSeq,
      root: this.tree ? toHex(this.tree.root()) : '',
      segments: this.runs.segments(),
      findings,
    };
  }

  private advance(entry: StoredEntry): void {
    const linkFault = this.judgeLink(entry);
    const faults = this.judge(entry, linkFault);
    if (!linkFault && this.predecessor && entry.linkedAt < this.predecessor.linkedAt) {
      faults.push({
        kind: 'clock_backwards',
        message: `Entry ${entry.seq} was linked at ${entry.linkedAt}, before the entry in front of it (${this.predecessor.linkedAt}).`,
      });
    }
    this.report(entry, faults);
    this.runs.add(entry.seq, entry.seq, !faults.some((fault) => severityOf(fault.kind) === 'error'));
    if (entry.entryHash.length === DIGEST_BYTES) this.tree?.append(entry.entryHash);
    else this.tree = undefined;
    this.predecessor = linkFault ? undefined : { hash: entry.entryHash, linkedAt: entry.linkedAt };
    this.nextSeq = entry.seq + 1;
  }

  /** The one thing that is wrong with the entry as a link, the most telling first. */
  private judgeLink(entry: StoredEntry): Fault | undefined {
    const earlier = this.linkedEvents.linkedBefore(entry.eventId, entry.seq);
    if (earlier !== undefined) {
      return {
        kind: 'entry_duplicated',
        message: `Entry ${entry.seq} links event ${entry.eventId} a second time; it is linked by entry ${earlier} already.`,
      };
    }
    const hashFault = judgeEntryHash(this.workspaceId, entry);
    if (hashFault) return hashFault;
    if (!this.predecessor || equalBytes(entry.prevHash, this.predecessor.hash)) return undefined;
    const before =
      entry.seq === 0 ? 'the beginning of this workspace’s chain' : `entry ${entry.seq - 1} as it is stored`;
    return {
      kind: 'prev_hash_mismatch',
      message: `Entry ${entry.seq} does not follow ${before}: one of the two was exchanged or rewritten.`,
    };
  }

  private judge(entry: StoredEntry, linkFault: Fault | undefined): Fault[] {
    const contentFaults = judgeContent(this.workspaceId, entry);
    if (!linkFault) return contentFaults;
    return [linkFault, ...contentFaults.filter((fault) => fault.kind !== linkFault.kind)];
  }

  /** An entry whose place the walk has passed: it was skipped and comes late, or it comes again. */
  private judgeLate(entry: StoredEntry): Fault[] {
    const { seq } = entry;
    const gap = this.gaps.findIndex(({ from, to }) => from <= seq && seq <= to);
    const found = this.gaps[gap];
    if (!found) {
      const message = `Entry ${seq} comes a second time, after entry ${this.nextSeq - 1}.`;
      return [{ kind: 'entry_duplicated', message }];
    }
    const rest = [
      { from: found.from, to: seq - 1 },
      { from: seq + 1, to: found.to },
    ];
    this.gaps.splice(gap, 1, ...rest.filter(({ from, to }) => from <= to));
    const message = `Entry ${seq} comes out of order, after entry ${this.nextSeq - 1}.`;
    return this.judge(entry, { kind: 'entry_reordered', message });
  }

  private skipTo(seq: number): void {
    this.gaps.push({ from: this.nextSeq, to: seq - 1 });
    this.runs.add(this.nextSeq, seq - 1, false);
    this.predecessor = undefined;
    this.tree = undefined;
  }

  private reportGap(from: number, to: number): void {
    const message = from === to ? `Entry ${from} is missing.` : `Entries ${from} to ${to} are missing.`;
    this.findings.push({ seq: from, kind: 'entry_missing', severity: 'error', message });
  }

  private judgeHead(head: { size: number; headHash: Uint8Array } | null): void {
    const size = this.nextSeq;
    if (head === null) {
      if (size === 0) return;
      const message = `The chain has ${size} entries but no head.`;
      this.findings.push({ kind: 'head_missing', severity: 'error', message });
      return;
    }
    if (head.size !== size) {
      this.judgeHeadSize(head.size, size);
      return;
    }
    if (!this.predecessor || equalBytes(head.headHash, this.predecessor.hash)) return;
    const end = size === 0 ? 'the beginning of this workspace’s chain' : `the last entry, ${size - 1}`;
    const message = `The head does not hold the hash of ${end}: one of the two was changed.`;
    this.findings.push({ seq: Math.max(size - 1, 0), kind: 'head_hash_mismatch', severity: 'error', message });
  }

  private judgeHeadSize(headSize: number, size: number): void {
    if (headSize > size) this.runs.add(size, headSize - 1, false);
    const message =
      headSize > size
        ? `The chain ends before entry ${size}, but its head counts ${headSize} entries: the end was cut off.`
        : `The head counts ${headSize} entries, but the chain goes on to entry ${size - 1}.`;
    this.findings.push({ seq: Math.min(headSize, size), kind: 'head_size_mismatch', severity: 'error', message });
  }

  private report(entry: StoredEntry, faults: readonly Fault[]): void {
    for (const { kind, message } of faults) {
      this.findings.push({ seq: entry.seq, event_id: entry.eventId, kind, severity: severityOf(kind), message });
    }
  }
}

function assertSeq(seq: number): void {
  if (!Number.isSafeInteger(seq) || seq < 0) throw new TypeError('seq must be a safe integer from 0');
}
