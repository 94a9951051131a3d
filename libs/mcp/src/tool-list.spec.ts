import { allOperations, catalogue, SCOPE_PRESETS, SCOPES, type DomainError } from '@perdure/contracts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { listedTools, parseToolSets, toolSetNames, visibleTools } from './tool-list.js';
import { exampleOf } from './testing/example.js';

const everyScope = new Set(SCOPES);
const agentScopes = new Set(SCOPE_PRESETS.agent);
const core = parseToolSets(undefined);
const definitions = listedTools.map(({ definition }) => [definition.name, definition] as const);
const outputOf = new Map<string, unknown>(allOperations.map(({ name, output }) => [name, output]));

/** Formats are hints to a model; what a text must look like is for the dispatcher. */
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false });

describe('every tool', () => {
  test.each(definitions)('G2: %s has a portable name and the texts and hints of its contract', (name, tool) => {
    expect(name).toMatch(/^[a-z0-9_]{1,64}$/);
    expect(tool.title).toMatch(/\S/);
    expect(tool.description).toMatch(/\S{3}/);
    expect(Object.keys(tool.annotations ?? {}).sort()).toEqual([
      'destructiveHint',
      'idempotentHint',
      'openWorldHint',
      'readOnlyHint',
    ]);
    expect(tool.annotations?.openWorldHint).toBe(false);
  });

  test.each(definitions)('G2: %s has schemas that any client takes: a plain object at the root', (_name, tool) => {
    for (const schema of [tool.inputSchema, tool.outputSchema]) {
      expect(schema?.type).toBe('object');
      const keywords = Object.keys(schema ?? {});
      expect(keywords).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(oneOf|anyOf|allOf|\$.*)$/)]));
      expect(JSON.stringify(schema)).not.toMatch(/freeText|\$ref|\$defs|"\$schema"/);
      ajv.compile(schema ?? false);
    }
  });

  test.each(definitions)('G2: %s says the same of its answer in JSON Schema as in its contract', (name, tool) => {
    const example = exampleOf(tool.outputSchema ?? {});
    const validate = ajv.compile(tool.outputSchema ?? false);
    expect(validate(example)).toBe(true);
    const contract = allOperations.find((operation) => operation.name === name);
    expect(contract?.output.safeParse(example).success ?? true).toBe(true);
    const required = tool.outputSchema?.required;
    if (Array.isArray(required) && required.length > 0) expect(validate({})).toBe(false);
    expect(validate({ ...Object(example), added_by_a_newer_server: 1 })).toBe(true);
  });

  test('G2: a key of retries is an argument of every mutation and of no query', () => {
    for (const { contract, definition } of listedTools.slice(0, allOperations.length)) {
      const properties = Object.keys(definition.inputSchema.properties ?? {});
      expect([contract.name, properties.includes('idempotency_key')]).toEqual([
        contract.name,
        contract.kind === 'mutation',
      ]);
      expect(definition.inputSchema.required ?? []).not.toContain('idempotency_key');
      expect(definition.inputSchema['additionalProperties']).toBe(false);
    }
  });

  test('G2: refinements of an input survive the added key (issue_credential: scopes or preset)', () => {
    expect(outputOf.has('issue_credential')).toBe(true);
    const tool = definitions.find(([name]) => name === 'issue_credential')?.[1];
    expect(Object.keys(tool?.inputSchema.properties ?? {})).toEqual(
      expect.arrayContaining(['actor', 'scopes', 'preset', 'idempotency_key']),
    );
  });
});

describe('rules of the catalogue', () => {
  test('I1: no operation outside the platform area takes a workspace', () => {
    const naming = allOperations.filter(({ area, input }) => area !== 'platform' && 'workspace' in input.shape);
    expect(naming.map(({ name }) => name)).toEqual([]);
  });

  test('A1: every mutation is audited or says why it is not; no query is', () => {
    for (const { name, kind, audits, unauditedBecause } of allOperations) {
      const expected = kind === 'query' ? [false, false] : [audits.length > 0, audits.length === 0];
      expect([name, audits.length > 0, unauditedBecause !== undefined]).toEqual([name, ...expected]);
    }
  });

  test('T1: the key of an operation is its name in camel case, its place its area', () => {
    for (const [area, operations] of Object.entries(catalogue)) {
      for (const [key, contract] of Object.entries(operations)) {
        expect([contract.area, key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]).toEqual([
          area,
          contract.name,
        ]);
      }
    }
  });

  test('T1: names are unique, those of our own tools included', () => {
    const names = definitions.map(([name]) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('what a caller is shown', () => {
  test('G3: by default the core set, ours last, never more than 25 and always in the same order', () => {
    const names = visibleTools(core, everyScope).map(({ name }) => name);
    const expected = allOperations.filter(({ toolSet }) => toolSet === 'core').map(({ name }) => name);
    expect(names).toEqual([...expected, 'find_operations', 'run_operation']);
    expect(names.length).toBeLessThanOrEqual(25);
    expect(JSON.stringify(visibleTools(core, everyScope))).toBe(JSON.stringify(visibleTools(core, everyScope)));
  });

  test('G3: only what its scopes allow', () => {
    expect(visibleTools(core, new Set(['projects:read'])).map(({ name }) => name)).toEqual([
      'list_projects',
      'find_operations',
      'run_operation',
    ]);
    const platform = visibleTools(parseToolSets('platform'), agentScopes);
    expect(platform).toEqual([]);
  });

  test('G3: named sets are shown beside each other', () => {
    const names = visibleTools(parseToolSets(' audit ,core'), everyScope).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['verify_audit_chain', 'start_build_session', 'find_operations']));
    expect(names).not.toContain('get_build_session');
    expect(visibleTools(parseToolSets('audit'), everyScope).map(({ name }) => name)).toEqual([
      'list_audit_events',
      'verify_audit_chain',
    ]);
    expect(parseToolSets(',')).toBe(core);
  });

  test.each(['nonsense', 'core,nonsense', 'Core', '__proto__'])('G3: %s is refused, naming what exists', (value) => {
    const refuse = () => parseToolSets(value);
    expect(refuse).toThrow(toolSetNames.join(', '));
    expect(refuse).toThrow(expect.objectContaining({ code: 'invalid_input' } satisfies Partial<DomainError>));
    expect(refuse).not.toThrow(/nonsense|__proto__/);
  });
});
