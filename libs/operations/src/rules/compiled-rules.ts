import type { RuleObject } from '@perdure/contracts';
import { compileRules, type SteppingMatcher } from '@perdure/rule-match';
import type { Transaction } from '@perdure/store';
import { activeRules } from './rule-rows.js';

export interface CompiledRules {
  readonly matcher: SteppingMatcher;
  readonly rules: ReadonlyMap<string, RuleObject>;
}

interface Cached extends CompiledRules {
  readonly version: string;
}

/** Compiled sets that a process keeps: those of the workspaces that asked last. 10,000 rules take some 10 MB. */
const WORKSPACES_KEPT = 50;

const cache = new Map<string, Cached>();

/**
 * The rules of the workspace, compiled once for each version. The version is read in the caller's transaction, so that
 * a change that was committed before is seen, whichever process made it (R5).
 */
export async function compiledRules(tx: Transaction): Promise<CompiledRules> {
  const row = await tx.first<{ version: string }>('SELECT version::text FROM rule_set WHERE workspace_id = $1', [
    tx.workspaceId,
  ]);
  const version = row?.version ?? '0';
  const known = cache.get(tx.workspaceId);
  if (known?.version === version) return known;
  const rules = await activeRules(tx);
  const compiled = {
    version,
    // What RE2 has compiled for the version before is used again.
    matcher: compileRules(rules, known?.matcher),
    rules: new Map(rules.map((rule) => [rule.id, rule])),
  };
  cache.delete(tx.workspaceId);
  cache.set(tx.workspaceId, compiled);
  const oldest = cache.keys().next();
  if (cache.size > WORKSPACES_KEPT && oldest.done !== true) cache.delete(oldest.value);
  return compiled;
}
