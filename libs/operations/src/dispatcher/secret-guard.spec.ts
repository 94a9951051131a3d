import { readFileSync } from 'node:fs';
import path from 'node:path';
import { allOperations, catalogue, DomainError, type OperationContract } from '@perdure/contracts';
import { createTestInstallation, refusalOf, type TestInstallation, type TestWorkspace } from '@perdure/testkit';
import { Client } from 'pg';
import { z } from 'zod';
import { mintToken } from '../access/token.js';
import { refuseSecrets } from './secret-guard.js';

interface Positive {
  readonly id: string;
  readonly parts?: readonly string[];
  readonly generate?: string;
  readonly before?: string;
  readonly after?: string;
}

const POSITIVES: Positive[] = JSON.parse(
  readFileSync(path.join(__dirname, '../../../../cases/secrets/positives.json'), 'utf8'),
);

const LOOK_ALIKES: { id: string; text: string }[] = JSON.parse(
  readFileSync(path.join(__dirname, '../../../../cases/secrets/negatives.json'), 'utf8'),
);

const secretOf = ({ parts, generate }: Positive): string =>
  generate === undefined ? (parts ?? []).join('') : mintToken('01K5ZQ8W3M9X7B2C4D6E8F0G1H').token;

/** A node of JSON Schema, as far as inputs have it. */
interface Node {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly additionalProperties?: Node | boolean;
  readonly anyOf?: readonly Node[];
  readonly freeText?: boolean;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly format?: string;
}

interface TextField {
  readonly name: string;
  readonly marked: boolean;
  /** An input that holds this field alone. */
  readonly build: (text: string) => unknown;
}

function textFields(node: Node, name = ''): TextField[] {
  const { properties = {}, items, additionalProperties, anyOf = [] } = node;
  const wrap = (field: TextField, outer: (inner: unknown) => unknown): TextField => ({
    ...field,
    build: (text) => outer(field.build(text)),
  });
  const below = [
    ...Object.entries(properties).flatMap(([key, child]) =>
      textFields(child, `${name}.${key}`).map((field) => wrap(field, (inner) => ({ [key]: inner }))),
    ),
    ...(items === undefined ? [] : textFields(items, `${name}[]`).map((field) => wrap(field, (inner) => [inner]))),
    ...(typeof additionalProperties === 'object'
      ? textFields(additionalProperties, `${name}{}`).map((field) => wrap(field, (inner) => ({ key: inner })))
      : []),
    ...anyOf.flatMap((child) => textFields(child, name)),
  ];
  return node.type === 'string' && node.enum === undefined && mayHoldSecret(node)
    ? [...below, { name, marked: node.freeText === true, build: (text) => text }]
    : below;
}

/** A field with a pattern of its own matters when a secret fits that pattern; a format of a time fits none. */
function mayHoldSecret({ pattern, format, freeText }: Node): boolean {
  if (pattern === undefined) return format === undefined;
  return freeText === true || POSITIVES.some((positive) => new RegExp(pattern, 'u').test(secretOf(positive)));
}

const fieldsOf = (contract: OperationContract): TextField[] =>
  // The schema of zod is JSON Schema; only the keys named in Node are looked at.
  textFields(z.toJSONSchema(contract.input, { io: 'input' }) as Node, contract.name);

/** Texts that are opaque to the product and given back by it, so that nobody writes them; and names of a closed set. */
const NOT_WRITTEN = /\.(cursor|since|timezone)$/;

describe('the secret guard', () => {
  it('L4: every text field of every operation is marked for it', () => {
    const unmarked = allOperations.flatMap((contract) => fieldsOf(contract).filter((field) => !field.marked));
    expect(unmarked.map((field) => field.name).filter((name) => !NOT_WRITTEN.test(name))).toEqual([]);
  });

  it.each(POSITIVES)('L4: $id is refused in every text field of every operation, and never shown', (positive) => {
    const secret = secretOf(positive);
    const text = `${positive.before ?? ''}${secret}${positive.after ?? ''}`;
    for (const contract of allOperations) {
      for (const field of fieldsOf(contract).filter((candidate) => candidate.marked)) {
        const refusal = refusedBy(contract, field.build(text));
        expect([field.name, refusal?.code]).toEqual([field.name, 'secret_detected']);
        expect(refusal?.details['secret_kind']).toMatch(/^[a-z0-9_]+$/);
        expect(JSON.stringify(refusal)).not.toContain(secret.slice(-12));
      }
    }
  });

  it.each(LOOK_ALIKES)('L4: $id is accepted in every text field of every operation', ({ text }) => {
    for (const contract of allOperations) {
      for (const field of fieldsOf(contract))
        expect([field.name, refusedBy(contract, field.build(text))]).toEqual([field.name, null]);
    }
  });

  it('L4: an idempotency key is text too', () => {
    expect(() =>
      refuseSecrets(catalogue.projects.createProject, {}, mintToken('01K5ZQ8W3M9X7B2C4D6E8F0G1H').token),
    ).toThrow(DomainError);
  });
});

function refusedBy(contract: OperationContract, input: unknown) {
  try {
    refuseSecrets(contract, input, null);
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error.toBody();
    throw error;
  }
}

describe('a refused secret', () => {
  let installation: TestInstallation;
  let workspace: TestWorkspace;

  beforeAll(async () => {
    installation = await createTestInstallation();
    workspace = await installation.workspace();
    await installation.call(catalogue.projects.createProject, workspace.owner, { name: 'acme', slug: 'acme' });
  });
  afterAll(() => installation.close());

  it('L4: is in no table afterwards, whatever column', async () => {
    const secret = secretOf(POSITIVES[0] ?? { id: 'none' });
    const refusal = await refusalOf(
      installation.call(catalogue.decisions.appendDecisionLog, workspace.owner, {
        title: 'Use this key',
        rationale_markdown: `The key is ${secret}.`,
        decided_on: '2026-11-30',
        changes_public_contract: false,
        project: 'acme',
        idempotency_key: 'k',
      }),
    );
    expect(refusal).toMatchObject({ code: 'secret_detected', details: { field: 'rationale_markdown', offset: 11 } });
    const client = new Client({ connectionString: installation.database.superuserUrl });
    await client.connect();
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
    );
    for (const { name } of tables) {
      const { rows } = await client.query(`SELECT 1 FROM ${name} t WHERE strpos(t::text, $1) > 0`, [
        secret.slice(0, 12),
      ]);
      expect([name, rows.length]).toEqual([name, 0]);
    }
    await client.end();
  });
});
