// Run by lifecycle.spec.ts in a process of its own: what it does is named by its first argument.
import { listen } from '../http/listen.js';
import { databaseUrl, httpPort } from '../config/product-settings.js';
import { readConfig } from '../config/read-config.js';
import { runProcess } from '../process/run-process.js';

const say = (text: string) => process.stdout.write(`${text}\n`);
const LONG_MS = 60_000;

const scenario = process.argv[2] ?? '';

void runProcess({
  name: 'under-test',
  start: async ({ lifecycle, env, fail }) => {
    if (scenario === 'config') readConfig({ url: databaseUrl('PERDURE_DATABASE_URL'), port: httpPort(1) }, env);
    if (scenario === 'port') await listen(() => undefined, { host: '127.0.0.1', port: Number(process.argv[3]) });
    const alive = setInterval(() => undefined, 1000);
    lifecycle.onStop('pool', () => say(`pool closed, draining ${lifecycle.isDraining}`), LONG_MS);
    lifecycle.onStop('server', () => say('server closed'), LONG_MS);
    if (scenario === 'hanging-step') lifecycle.onStop('hanging', () => new Promise(() => undefined), 10);
    if (scenario === 'failing-step') lifecycle.onStop('failing', () => Promise.reject(new Error('no')), LONG_MS);
    if (scenario === 'slow-step') lifecycle.onStop('slow', () => new Promise(() => say('stopping')), LONG_MS);
    if (scenario === 'start-fails') throw new Error('cannot reach postgres://app:s3cret@db');
    if (scenario === 'rejection') void Promise.reject(new Error('nobody caught this'));
    if (scenario === 'fail') fail(new Error('no retry can mend this'));
    lifecycle.onStop('timer', () => clearInterval(alive), LONG_MS);
    say('ready');
  },
});
