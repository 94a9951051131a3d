import { z } from 'zod';
import { allOperations, catalogue, findOperation } from './catalogue.js';
import { DomainError, ERROR_CODES, ERROR_KINDS, errorBodyOf } from './errors.js';
import { EVENT_TYPES } from './events.js';
import { SCOPE_PRESETS, SCOPES } from './scopes.js';

const camelCase = (name: string) => name.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());

describe('the catalogue', () => {
  it('T1: the key of an operation is its name in camel case, under its own area', () => {
    for (const [area, operations] of Object.entries(catalogue)) {
      for (const [key, contract] of Object.entries(operations)) {
        expect([camelCase(contract.name), contract.area]).toEqual([key, area]);
      }
    }
  });

  it('names and routes are unique', () => {
    const names = allOperations.map((contract) => contract.name);
    const routes = allOperations.map(({ route }) => `${route.method} ${route.path}`);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(routes).size).toBe(routes.length);
    expect(findOperation('who_am_i')).toBe(catalogue.access.whoAmI);
  });

  it('A1: every mutation is audited, or says why it is not; no query is', () => {
    for (const { name, kind, audits, unauditedBecause } of allOperations) {
      const reasoned = audits.length > 0 || (unauditedBecause ?? '') !== '';
      expect([name, kind === 'query' ? audits.length === 0 : reasoned]).toEqual([name, true]);
    }
  });

  it('A1: every audited event type is written by an operation, or says by whom, and is held by a row or a transition', () => {
    const written = new Set<string>(allOperations.flatMap((contract) => contract.audits));
    const audited = Object.entries(EVENT_TYPES).filter(([, type]) => type.audited);
    const byOperations = audited.filter(([, type]) => !('beyondOperations' in type)).map(([name]) => name);
    expect(byOperations.toSorted()).toEqual([...written].toSorted());
    for (const [name, type] of audited) expect([name, 'heldBy' in type]).toEqual([name, true]);
  });

  it('every parameter of a route is an argument', () => {
    for (const { name, route, input } of allOperations) {
      for (const [, parameter] of route.path.matchAll(/\{([a-z_]+)\}/g)) {
        expect([name, Object.keys(input.shape)]).toEqual([name, expect.arrayContaining([parameter])]);
      }
    }
  });

  it('I1: no input names a workspace outside the platform area', () => {
    for (const { name, area, input } of allOperations) {
      const keys = Object.keys(input.shape);
      expect([name, area !== 'platform' && keys.some((key) => key.startsWith('workspace'))]).toEqual([name, false]);
    }
  });

  it('unknown keys are refused by every operation', () => {
    for (const { name, input } of allOperations) {
      const result = input.safeParse({ titel: 'x' });
      const refused = result.error?.issues.some(
        (issue) => issue.code === 'unrecognized_keys' && issue.keys.includes('titel'),
      );
      expect([name, refused]).toEqual([name, true]);
    }
  });

  it('every schema can be written as JSON Schema', () => {
    for (const { input, output } of allOperations) {
      expect(() => z.toJSONSchema(input, { io: 'input' })).not.toThrow();
      expect(() => z.toJSONSchema(output)).not.toThrow();
    }
  });

  it('L2, L3: what is for people or for the test step is in no agent’s preset', () => {
    expect(SCOPE_PRESETS.agent).not.toEqual(expect.arrayContaining(['loop:measure']));
    expect(SCOPE_PRESETS.agent).not.toEqual(expect.arrayContaining(['loop:admin']));
    expect(SCOPE_PRESETS.admin).toEqual(SCOPES.filter((scope) => scope !== 'platform:admin'));
  });
});

describe('refusals', () => {
  it('every code has a kind with a status, and a hint', () => {
    for (const [code, { kind, hint }] of Object.entries(ERROR_CODES)) {
      expect([code, ERROR_KINDS[kind] >= 400, hint.length > 10]).toEqual([code, true, true]);
    }
  });

  it('anything that is no refusal is shown as internal, without a word of it', () => {
    expect(errorBodyOf(new DomainError('not_found', 'No.'))).toMatchObject({ kind: 'not_found', message: 'No.' });
    expect(JSON.stringify(errorBodyOf(new Error('password=hunter2')))).not.toContain('hunter2');
  });
});
