import { startCluster } from './bench-cluster.js';
import { HttpConnection } from './http-connection.js';
import { openInstallation } from './installation.js';
import { startApp, startSource } from './started-process.js';
import { toolRequest } from './tool-request.js';
import { readFileSync, writeFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
const ticks = (pid: number) => { const f = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' '); return (Number(f[11]) + Number(f[12])) * 10; };
const pgTicks = () => readdirSync('/proc').filter((p) => /^\d+$/.test(p)).reduce((sum, p) => { try { const c = readFileSync(`/proc/${p}/cmdline`, 'utf8'); return c.startsWith('postgres: perdure_app bench_prof') ? sum + ticks(Number(p)) : sum; } catch { return sum; } }, 0);
async function main() {
  const cluster = await startCluster();
  try {
    const database = await cluster.createDatabase('bench_prof');
    const installation = await openInstallation(database, { poolSize: 4 });
    const agents = await installation.agents(16, 1);
    await installation.close();
    const env: Record<string, string> = { PERDURE_DATABASE_URL: database.appUrl, PERDURE_QUEUE_URL: cluster.queueUrl };
    if (process.env.PROF) { env.NODE_OPTIONS = '--require /tmp/w/prof-hook.cjs'; env.PROF_DIR = process.env.PROF; }
    const gateway = await startApp('mcp-gateway', cluster.folder, env);
    const answers: Record<string, Record<string, unknown>> = {};
    for (const tool of ['ping_build_session', 'get_build_session']) {
      const c = await HttpConnection.open(gateway.port);
      const a = await c.send(toolRequest(agents[0]!.token, tool, { build_session_id: agents[0]!.sessionId }));
      c.close();
      answers[tool] = (JSON.parse(a.text.slice(a.text.indexOf('{'), a.text.lastIndexOf('}') + 1)) as any).result.structuredContent;
    }
    const token = 'bare-token-of-the-same-length-as-a-real-one-has';
    const file = path.join(cluster.folder, 'b.json');
    writeFileSync(file, JSON.stringify({ token, answers }));
    if (process.env.PROFBARE) { process.env.NODE_OPTIONS = '--require /tmp/w/prof-hook.cjs'; process.env.PROF_DIR = process.env.PROFBARE; }
    const bare = await startSource('bare-gateway.ts', [file]);
    for (const tool of ['ping_build_session', 'get_build_session']) for (const [name, server, tok] of [['ours', gateway, null], ['bare', bare, token]] as const) {
      const conns = await Promise.all(agents.map(() => HttpConnection.open(server.port)));
      const reqs = agents.map((a) => toolRequest(tok ?? a.token, tool, { build_session_id: a.sessionId }));
      const loop = (n: number) => Promise.all(conns.map(async (c, i) => { for (let k = 0; k < n; k++) await c.send(reqs[i]!); }));
      await loop(60);
      const N = Number(process.env.N ?? 200);
      if ((process.env.PROF || process.env.PROFBARE) && (process.env.PROFBARE ? name === 'bare' : name === 'ours') && tool === process.env.TOOL) process.kill(server.pid, 'SIGUSR2');
      const [a, p, t] = [ticks(server.pid), pgTicks(), Date.now()];
      await loop(N);
      console.log(tool, name, 'server cpu us/call', ((ticks(server.pid) - a) * 1000 / (16 * N)).toFixed(0), 'pg us/call', ((pgTicks() - p) * 1000 / (16 * N)).toFixed(0), 'wall us/call', ((Date.now() - t) * 1000 / 16 / N).toFixed(0));
      if ((process.env.PROF || process.env.PROFBARE) && (process.env.PROFBARE ? name === 'bare' : name === 'ours') && tool === process.env.TOOL) { process.kill(server.pid, 'SIGUSR2'); await new Promise((r) => setTimeout(r, 1500)); }
      conns.forEach((c) => c.close());
    }
    await bare.stop(); await gateway.stop();
  } finally { await cluster.close(); }
}
main().catch((e) => { console.error(e); process.exitCode = 1; });
