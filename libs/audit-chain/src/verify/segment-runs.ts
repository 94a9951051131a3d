/** A run of sequence numbers, both ends included, that were all judged alike. */
export interface Segment {
  from_seq: number;
  to_seq: number;
  ok: boolean;
}

/** Gathers judgements, given in sequence order, into the longest runs. */
export class SegmentRuns {
  private readonly runs: Segment[] = [];

  add(fromSeq: number, toSeq: number, ok: boolean): void {
    const last = this.runs.at(-1);
    if (last?.ok === ok) last.to_seq = toSeq;
    else this.runs.push({ from_seq: fromSeq, to_seq: toSeq, ok });
  }

  segments(): Segment[] {
    return this.runs.map((run) => ({ ...run }));
  }
}
