import type { ErrorCode, UsageReport } from '@perdure/contracts';
import type { ReportStatus } from './report-version.js';

export interface ReportLine {
  /** From 1. */
  readonly line: number;
  readonly report: UsageReport;
}

export interface ReportResult {
  readonly line: number;
  readonly status: ReportStatus | 'rejected';
  /** Of a rejected one. */
  readonly code: ErrorCode | null;
  readonly message: string | null;
}
