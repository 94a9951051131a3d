// An internal tool: records a deployment as a decision, once, and says what else is known about the file it touched.
//
//   PERDURE_URL=http://127.0.0.1:7400 PERDURE_TOKEN=prd_… node internal-tool.js demo 2026-11-30
import { connectionFromEnvironment, createPerdureClient, idempotent, PerdureError } from '@perdure/client';

async function recordDeployment(project: string, day: string): Promise<string> {
  const perdure = createPerdureClient(connectionFromEnvironment(process.env));
  const { decision } = await perdure.decisions.appendDecisionLog.mutate(
    {
      project,
      title: `Deploy payments on ${day}`,
      rationale_markdown: 'The retries of the payment call are in; error rate below 0.1 % for a week.',
      decided_on: day,
      changes_public_contract: false,
      paths: ['src/payments/client.ts'],
      tags: ['deployment'],
    },
    // Run twice, also after a lost answer, it is one entry: the key says what is to be done, not when it was tried.
    idempotent(`deploy/payments/${day}`),
  );
  const { items } = await perdure.decisions.decisionsForPath.query({ project, path: 'src/payments/client.ts' });
  return `${decision.id}: “${decision.title}”, one of ${items.length} about src/payments/client.ts`;
}

const [project = 'demo', day = new Date().toISOString().slice(0, 10)] = process.argv.slice(2);

recordDeployment(project, day).then(
  (line) => process.stdout.write(`${line}\n`),
  (error: unknown) => {
    // A refusal says what is wrong and what to do; anything else is a fault of this program.
    if (!(error instanceof PerdureError)) throw error;
    process.stderr.write(`${error.code}: ${error.message}\n${error.hint}\n`);
    process.exitCode = error.kind === 'unreachable' ? 2 : 1;
  },
);
