import { allOperations, catalogue, DomainError } from '@perdure/contracts';
import { parseInput } from './parse-input.js';

const append = catalogue.decisions.appendDecisionLog;
const VALID = { title: 'x', rationale_markdown: 'x', decided_on: '2026-11-30', changes_public_contract: false };

function refusal(raw: unknown, key?: string) {
  try {
    parseInput(append, raw, key);
  } catch (error) {
    if (error instanceof DomainError) return error.toBody();
  }
  throw new Error('the input was accepted');
}

describe('the input of an operation', () => {
  it.each([
    ['a NUL', { ...VALID, title: 'a\u0000b' }, 'title'],
    ['a lone surrogate', { ...VALID, rationale_markdown: '\ude00a' }, 'rationale_markdown'],
    ['an unknown key', { ...VALID, titel: 'x' }, 'titel'],
    ['a reserved key', JSON.parse('{"__proto__": {}}'), '__proto__'],
    ['a wrong type', { ...VALID, changes_public_contract: 'yes' }, 'changes_public_contract'],
    ['a missing argument', { ...VALID, decided_on: undefined }, 'decided_on'],
    ['a bad item of a list', { ...VALID, paths: ['ok', '..'] }, 'paths.1'],
  ])('%s is refused and named', (_label, raw, field) => {
    const body = refusal(raw);
    expect(body).toMatchObject({ kind: 'invalid_input', code: 'invalid_input' });
    expect(body.details['fields']).toEqual(expect.arrayContaining([expect.objectContaining({ path: field })]));
    expect(body.message).toContain(field);
  });

  it.each([[[]], ['text'], [7]])('%j is no object and refused', (raw) => {
    expect(refusal(raw).code).toBe('invalid_input');
  });

  it('names every bad argument at once and echoes no more than 80 characters of any', () => {
    const body = refusal({ ...VALID, title: 7, decided_on: 'today', ['x'.repeat(500)]: 1 });
    expect(body.details['fields']).toHaveLength(3);
    expect(body.message).not.toContain('x'.repeat(81));
  });

  it('L4: no name of an argument is echoed with a secret in it, at whatever depth', () => {
    const token = ['gh', 'p_Fz81sbbia', 'VvhhXat80D5u1oUUXqg1C1Wwv0O'].join('');
    const project = (attributes: object) => () =>
      parseInput(catalogue.projects.createProject, { name: 'x', attributes, [token]: 1 }, undefined);
    expect(project({})).toThrow('***: is not an argument');
    expect(project({ [`${token}${' '.repeat(100)}`]: 'x' })).toThrow('attributes.***');
    expect(project({ [`x=${token}`]: 'a\u0000b' })).toThrow('attributes.x=***');
  });

  it('the values of a list of choices are named', () => {
    expect(refusal({ ...VALID, kind: 'DECISION' }).message).toContain('dead_end');
  });

  it('T4: a query takes no idempotency key, a mutation one of 1 to 200 characters', () => {
    expect(() => parseInput(catalogue.access.whoAmI, { idempotency_key: 'k' }, undefined)).toThrow(DomainError);
    expect(parseInput(append, { ...VALID, idempotency_key: 'k' }, undefined).idempotencyKey).toBe('k');
    expect(parseInput(append, VALID, 'h').idempotencyKey).toBe('h');
    expect(refusal({ ...VALID, idempotency_key: '' }).details['fields']).toEqual([
      expect.objectContaining({ path: 'idempotency_key' }),
    ]);
  });

  it('an operation without arguments may be called without any', () => {
    expect(parseInput(catalogue.access.whoAmI, undefined, undefined).input).toEqual({});
    expect(allOperations.length).toBeGreaterThan(16);
  });
});
