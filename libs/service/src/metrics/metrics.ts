import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

interface MetricText {
  /** Without the product's prefix, which is put before every name. */
  name: string;
  help: string;
}

const PREFIX = 'perdure_';

/** Prometheus metrics of one process. Labels hold closed sets only: never a workspace, a path or an id. */
export class Metrics {
  private readonly registry = new Registry();

  constructor(app: string) {
    this.registry.setDefaultLabels({ app });
    collectDefaultMetrics({ register: this.registry });
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  counter<Label extends string = never>({ name, help }: MetricText, labelNames: Label[] = []): Counter<Label> {
    return new Counter({ name: `${PREFIX}${name}`, help, labelNames, registers: [this.registry] });
  }

  gauge<Label extends string = never>({ name, help }: MetricText, labelNames: Label[] = []): Gauge<Label> {
    return new Gauge({ name: `${PREFIX}${name}`, help, labelNames, registers: [this.registry] });
  }

  histogram<Label extends string = never>(
    { name, help }: MetricText,
    { labelNames = [], buckets }: { labelNames?: Label[]; buckets: number[] },
  ): Histogram<Label> {
    return new Histogram({ name: `${PREFIX}${name}`, help, labelNames, buckets, registers: [this.registry] });
  }

  /** The text that a scrape gets. */
  render(): Promise<string> {
    return this.registry.metrics();
  }
}
