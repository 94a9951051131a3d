import { allOperations, type Catalogue, type OperationContract } from '@perdure/contracts';
import { initTRPC, type TRPCMutationProcedure, type TRPCQueryProcedure } from '@trpc/server';
import type { z } from 'zod';
import type { TrpcContext } from './context.js';
import { toTrpcError, trpcErrorBody } from './errors.js';

const t = initTRPC.context<TrpcContext>().create({
  // Development mode puts the stack into every error; the client never gets one.
  isDev: false,
  errorFormatter: ({ shape, error, ctx }) => {
    const perdure = trpcErrorBody(error, ctx?.options.requestId);
    return { ...shape, message: perdure.message, data: { ...shape.data, perdure } };
  },
});

/** An operation whose input has no required key can be called with nothing at all. */
type OptionalWhenEmpty<Input> = Record<never, never> extends Input ? Input | undefined : Input;

type MutationInput<Input> = Input & { idempotency_key?: string };

type ProcedureOf<Contract> =
  Contract extends OperationContract<string, infer Kind, infer Input, infer Output>
    ? Kind extends 'query'
      ? TRPCQueryProcedure<{ input: OptionalWhenEmpty<z.input<Input>>; output: z.output<Output>; meta: object }>
      : TRPCMutationProcedure<{
          input: OptionalWhenEmpty<MutationInput<z.input<Input>>>;
          output: z.output<Output>;
          meta: object;
        }>
    : never;

type ProceduresOf<Areas> = { [Area in keyof Areas]: { [Name in keyof Areas[Area]]: ProcedureOf<Areas[Area][Name]> } };

/** The dispatcher parses every input, for all transports alike: here it only passes, so that nothing is checked twice. */
const untouched = (input: unknown): unknown => input;

const toProcedure = (contract: OperationContract) => {
  const procedure = t.procedure.input(untouched);
  const call = async (ctx: TrpcContext, input: unknown, signal: AbortSignal | undefined) => {
    const options = signal === undefined ? ctx.options : { ...ctx.options, signal };
    try {
      const { output, replayed } = await ctx.run(contract, ctx.caller, input === undefined ? {} : input, options);
      if (replayed) ctx.onReplayed();
      return output;
    } catch (thrown) {
      throw toTrpcError(thrown);
    }
  };
  return contract.kind === 'query'
    ? procedure.query(({ ctx, input, signal }) => call(ctx, input, signal))
    : procedure.mutation(({ ctx, input, signal }) => call(ctx, input, signal));
};

const camelCase = (name: string) => name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());

function proceduresByArea(): Record<string, unknown> {
  const areas: Record<string, Record<string, ReturnType<typeof toProcedure>>> = {};
  for (const contract of allOperations) {
    areas[contract.area] = { ...areas[contract.area], [camelCase(contract.name)]: toProcedure(contract) };
  }
  return areas;
}

/** The tRPC router over the whole catalogue: `area.camelCase`, a query or a mutation as the contract says. */
export const createRouter = () =>
  // Built by iteration at run time, typed by a mapped type over the same catalogue; router.spec.ts pins one to the other.
  t.router(proceduresByArea() as ProceduresOf<Catalogue>);

/** What a typed client imports: types only, nothing of the server. */
export type AppRouter = ReturnType<typeof createRouter>;
