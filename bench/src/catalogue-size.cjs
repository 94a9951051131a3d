// `node --require`, in front of the real gateway: cuts its catalogue to BENCH_TOOLS tools, or fills it up with copies
// under other names, before the tools are computed from it.
const { allOperations } = require('@perdure/contracts');

const size = Number(process.env.BENCH_TOOLS);
const asked = 'ping_build_session';

const kept = allOperations.filter(({ name }) => name === asked);
const others = allOperations.filter(({ name }) => name !== asked);
const copies = Array.from({ length: size }, (_, number) => {
  const original = others[number % others.length];
  return number < others.length ? original : { ...original, name: `${original.name}_${number}` };
});
allOperations.splice(0, allOperations.length, ...kept, ...copies.slice(0, size - 1));
