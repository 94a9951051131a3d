/** Texts beyond this run unnamed: lists build one text for each set of filters, and every name costs memory a connection. */
const MOST_NAMES = 500;
/** For how long a connection goes by a plan once made. Planning twenty statements anew takes it about 10 ms. */
export const PLAN_MS = 5_000;

/**
 * Names under which Postgres keeps statements parsed and planned. A statement without a name is parsed, rewritten for
 * row-level security and planned in every call: `get_build_session` in process made 680 calls/s so, and 3,068 with names.
 */
export class StatementNames {
  private readonly names = new Map<string, string>();
  private readonly plannedAt = new WeakMap<object, number>();

  /** The name of this text, the same on every connection; undefined when there are too many already. */
  of(text: string): string | undefined {
    const known = this.names.get(text);
    if (known !== undefined || this.names.size >= MOST_NAMES) return known;
    const name = `perdure_${this.names.size}`;
    this.names.set(text, name);
    return name;
  }

  /**
   * What to put before BEGIN: now and then the connection's plans are dropped. A plan made while the tables were small
   * may compare pair by pair, and Postgres itself thinks of planning anew only when the next statistics are taken.
   */
  renewal(client: object): string {
    const now = Date.now();
    const planned = this.plannedAt.get(client);
    if (planned !== undefined && now - planned < PLAN_MS) return '';
    this.plannedAt.set(client, now);
    return planned === undefined ? '' : 'DISCARD PLANS; ';
  }
}

const named = new WeakMap<object, StatementNames>();

/** Whether transactions of this data source name their statements. */
export function nameStatements(dataSource: object, on: boolean): void {
  if (on) named.set(dataSource, new StatementNames());
}

/** The names for this data source's connections; undefined when its statements run unnamed. */
export const statementNamesOf = (dataSource: object): StatementNames | undefined => named.get(dataSource);
