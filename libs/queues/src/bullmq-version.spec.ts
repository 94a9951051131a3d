import { readFileSync } from 'node:fs';
import path from 'node:path';

const manifest = readFileSync(path.join(__dirname, '..', 'package.json'), 'utf8');
// This package's own package.json, which has dependencies.
const { dependencies } = JSON.parse(manifest) as { dependencies: Record<string, string> };

describe('the queue libraries', () => {
  it('Q19: BullMQ is one exact version, from 6.3.3 on: earlier ones never come back from a long outage', () => {
    const [major, minor, patch] = (dependencies['bullmq'] ?? '').split('.').map(Number);
    expect([major, Number(minor) * 1000 + Number(patch) >= 3003]).toEqual([6, true]);
  });

  it('Q23: its clients are named: since version 6 it brings none', () => {
    expect(dependencies).toMatchObject({ ioredis: expect.any(String), pg: expect.any(String) });
  });
});
