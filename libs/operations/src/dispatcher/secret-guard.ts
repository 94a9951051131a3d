import type { OperationContract } from '@perdure/contracts';
import { refuseSecret } from '@perdure/guard';
import type { z } from 'zod';

/** Looks at one value of an input and refuses the first secret in it. */
type Visit = (value: unknown, path: string) => void;

const visits = new WeakMap<OperationContract, Visit>();

/**
 * L4: refuses an input that holds a credential of a known format in any text field that the catalogue marks. Which
 * fields those are is read off the contract's schema once; the input is looked at as it was sent.
 *
 * @throws DomainError `secret_detected` with the secret's kind and its place, never its value
 */
export function refuseSecrets(contract: OperationContract, input: unknown, idempotencyKey: string | null): void {
  const visit = visits.get(contract) ?? remember(contract);
  visit(input, '');
  if (idempotencyKey !== null) refuseSecret(idempotencyKey, 'idempotency_key');
}

function remember(contract: OperationContract): Visit {
  const visit = visitOf(contract.input) ?? (() => undefined);
  visits.set(contract, visit);
  return visit;
}

/** Schemas of zod as far as inputs use them; null where a schema can hold no free text. */
function visitOf(schema: z.core.$ZodType): Visit | null {
  const { def } = schema._zod;
  if (isFreeText(schema)) return refuseSecret;
  if (isA(def, 'object')) return objectVisit(def.shape);
  if (isA(def, 'array')) return arrayVisit(visitOf(def.element));
  if (isA(def, 'record')) return recordVisit(visitOf(def.keyType), visitOf(def.valueType));
  if (isA(def, 'pipe')) return visitOf(def.in);
  if (isA(def, 'optional') || isA(def, 'nullable')) return visitOf(def.innerType);
  return null;
}

interface Definitions {
  readonly object: z.core.$ZodObjectDef;
  readonly array: z.core.$ZodArrayDef;
  readonly record: z.core.$ZodRecordDef;
  readonly pipe: z.core.$ZodPipeDef;
  readonly optional: z.core.$ZodOptionalDef;
  readonly nullable: z.core.$ZodNullableDef;
}

/** Every definition of zod names its own type. */
const isA = <Type extends keyof Definitions>(def: z.core.$ZodTypeDef, type: Type): def is Definitions[Type] =>
  def.type === type;

function isFreeText(schema: z.core.$ZodType): boolean {
  return 'meta' in schema && typeof schema.meta === 'function' && schema.meta()?.freeText === true;
}

function objectVisit(shape: z.core.$ZodShape): Visit | null {
  const fields = Object.entries(shape).flatMap(([key, schema]) => {
    const visit = visitOf(schema);
    return visit === null ? [] : [[key, visit] as const];
  });
  if (fields.length === 0) return null;
  return (value, path) => {
    if (!isRecord(value)) return;
    for (const [key, visit] of fields) visit(value[key], join(path, key));
  };
}

function arrayVisit(item: Visit | null): Visit | null {
  if (item === null) return null;
  return (value, path) => {
    if (Array.isArray(value)) value.forEach((entry, index) => item(entry, join(path, String(index))));
  };
}

function recordVisit(key: Visit | null, item: Visit | null): Visit {
  return (value, path) => {
    if (!isRecord(value)) return;
    for (const [name, entry] of Object.entries(value)) {
      key?.(name, path);
      item?.(entry, join(path, name));
    }
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);
