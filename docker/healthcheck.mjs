// HEALTHCHECK of the images: exit 0 while the process in this container answers GET /healthz with 200.
// Liveness, not readiness: an outage of the database is no reason to restart this process.
const EVERY_ADDRESS = ['0.0.0.0', '::', ''];
const TIMEOUT_MS = 3000;

const { PERDURE_HTTP_HOST: host = '', PERDURE_HTTP_PORT: port = '' } = process.env;
const address = EVERY_ADDRESS.includes(host) ? '127.0.0.1' : host;

try {
  const response = await fetch(`http://${address}:${port}/healthz`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  console.log(await response.text());
  process.exitCode = response.ok ? 0 : 1;
} catch (error) {
  console.log(`no answer on ${address}:${port}: ${error.cause?.code ?? error.name}`);
  process.exitCode = 1;
}
