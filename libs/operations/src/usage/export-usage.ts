import { catalogue, INLINE_USAGE_ROWS, USAGE_EXPORT_TYPES } from '@perdure/contracts';
import { readExport, streamExport } from '@perdure/store';
import { implement } from '../dispatcher/implement.js';
import { usageBytes, usageHeader, usageLine } from './usage-file.js';

export const exportUsageHandler = implement(catalogue.usage.exportUsage, async ({ tx, input, download }) => {
  const { from, to, format } = input;
  if (download.isStreamed) {
    download.offer((dataSource) => ({
      fileName: `usage-${from.slice(0, 10)}-${to.slice(0, 10)}.${format}`,
      mediaType: USAGE_EXPORT_TYPES[format],
      bytes: usageBytes(format, streamExport(dataSource, tx.workspaceId, { from, to })),
    }));
    return { content: null, rows: 0, complete: true };
  }
  const found = await readExport(tx, { from, to }, INLINE_USAGE_ROWS);
  const rows = found.slice(0, INLINE_USAGE_ROWS);
  return {
    content: usageHeader(format) + rows.map((row) => usageLine(format, row)).join(''),
    rows: rows.length,
    complete: rows.length === found.length,
  };
});
