import { CLIENT_NAMES, type ClientName } from '@perdure/transcripts';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Terminal } from '../admin/operation-command.js';
import { reportUsage, type ReportOptions } from './report-usage.js';
import { GROUPS, showSummary, type SummaryOptions } from './show-summary.js';

/** `perdure usage …`: what agents used, out of their own transcripts. */
export function addUsageCommands(program: Command, terminal: Terminal): void {
  const usage = program.command('usage').description('Token usage, as agents wrote it down themselves.');
  usage
    .command('report')
    .summary('read transcripts and hand in what they say')
    .description(
      'Reads the transcripts of coding agents and hands in their token counts, never their text. A report replaces the one before, so it may run as often as you like. When the server is away the reports are kept and go with the next run.\n\nNeeds the scope usage:write.',
    )
    .argument('[paths...]', 'files or folders; without any, where each client keeps its transcripts')
    .addOption(new Option('--client <name>', 'whose transcripts').choices(CLIENT_NAMES))
    .option('--project <id or slug>', 'the project they belong to')
    .option('--build-session <id>', 'the build session they belong to; default: as the hooks of this checkout noted')
    .option('--no-responses', 'sums alone: copies in transcripts of other machines are then not known')
    .option('--dry-run', 'read, and send nothing')
    .option('--json', 'print what was, or with --dry-run would be, sent as JSON')
    .action((paths: string[], options: ReportOptions & { client?: ClientName }) =>
      reportUsage(paths, options, terminal),
    );
  usage
    .command('summary')
    .summary('what was used, by project, actor, model, client or day')
    .description(
      'Reported token counts of a range of days, as a table with a bar for each row.\n\nNeeds the scope usage:read.',
    )
    .option('--from <day>', 'first day, YYYY-MM-DD; default: 29 days before the last', dayOf)
    .option('--to <day>', 'last day; default: today', dayOf)
    .option('--timezone <name>', 'whose days, such as Europe/Berlin; default: UTC')
    .addOption(new Option('--by <groups...>', 'how to group').choices(GROUPS).default(['day']))
    .option('--no-children', 'without the transcripts of sub-agents')
    .option('--json', 'print the answer as JSON')
    .action((options: SummaryOptions) => showSummary(options, terminal));
}

function dayOf(text: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return text;
  throw new InvalidArgumentError('Give a day as YYYY-MM-DD.');
}
