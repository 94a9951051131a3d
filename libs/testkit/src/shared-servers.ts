import type { RoleName } from '@perdure/store';

/** Migrated once per run, then copied: a copy takes about 50 ms, a migration a second. */
export const TEMPLATE = 'perdure_template';

/** What a test run shares, as test-services.ts announces it. */
export interface TestServices {
  /** Logs and notes of started applications; deleted at the end. */
  runFolder: string;
  superuserUrl: string;
  passwords: Record<RoleName, string>;
  redisUrl: string | null;
  /** Why there is no Redis. */
  redisProblem: string | null;
}

export function testServices(): TestServices {
  const announced = process.env.PERDURE_TEST_SERVICES;
  if (!announced) {
    throw new Error('No test servers: run through jest.config.cjs, in a package that lists @perdure/testkit.');
  }
  return JSON.parse(announced) as TestServices; // written by test-services.ts of the same sources
}

/** The same server and database as another role. */
export function roleUrl(url: string, role: RoleName, passwords: Readonly<Record<RoleName, string>>): string {
  const changed = new URL(url);
  changed.username = role;
  changed.password = passwords[role];
  return changed.toString();
}
