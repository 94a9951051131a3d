/** One thing a process needs before it may be sent work. `detail` is public: no hosts, no versions, no error texts. */
export interface ReadinessCheck {
  name: string;
  check(): Promise<CheckOutcome> | CheckOutcome;
}

export interface CheckOutcome {
  ok: boolean;
  detail?: string;
}

export interface CheckResult extends CheckOutcome {
  name: string;
  ms: number;
}

export interface ReadinessReport {
  status: 'ready' | 'not_ready' | 'draining';
  checks: CheckResult[];
}

const CHECK_TIMEOUT_MS = 1000;
/** Probes of several balancers and a curious person share one round of checks. */
const CACHE_MS = 1000;

/** Runs the checks together, each for a second at most, and remembers the outcome for a second. */
export class Readiness {
  private cached: { at: number; report: Promise<ReadinessReport> } | null = null;

  constructor(
    private readonly checks: readonly ReadinessCheck[],
    private readonly isDraining: () => boolean = () => false,
  ) {}

  async report(): Promise<ReadinessReport> {
    if (this.isDraining()) return { status: 'draining', checks: [] };
    if (!this.cached || performance.now() - this.cached.at > CACHE_MS) {
      this.cached = { at: performance.now(), report: this.run() };
    }
    return this.cached.report;
  }

  private async run(): Promise<ReadinessReport> {
    const checks = await Promise.all(this.checks.map(runCheck));
    return { status: checks.every(({ ok }) => ok) ? 'ready' : 'not_ready', checks };
  }
}

async function runCheck({ name, check }: ReadinessCheck): Promise<CheckResult> {
  const startedAt = performance.now();
  const outcome = await settled(check);
  return { name, ...outcome, ms: Math.round(performance.now() - startedAt) };
}

async function settled(check: ReadinessCheck['check']): Promise<CheckOutcome> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<CheckOutcome>((resolve) => {
    timer = setTimeout(
      () => resolve({ ok: false, detail: `no answer within ${CHECK_TIMEOUT_MS} ms` }),
      CHECK_TIMEOUT_MS,
    );
  });
  try {
    return await Promise.race([Promise.resolve().then(check), late]);
  } catch {
    // The error's own words can name hosts and users; the log of the failing part has them.
    return { ok: false, detail: 'failed' };
  } finally {
    clearTimeout(timer);
  }
}
