import { catalogue } from '@perdure/contracts';
import { loopLimits } from '@perdure/loop-file';
import type { Terminal } from '../admin/operation-command.js';
import { render } from '../admin/render.js';
import { serverOf } from '../place/place.js';
import { callOnLoop, openLoopPlace } from './loop-place.js';

interface Printing {
  readonly json?: boolean;
}

/** L1: both halves as the file has them, and as the server has them where there is one. */
export async function showStatus({ json }: Printing, folder: string, terminal: Terminal): Promise<void> {
  const place = await openLoopPlace(folder, terminal.env);
  const { warnings, run, work, parked_runs } = await place.file.read();
  for (const { message } of warnings) terminal.stderr.write(`${message}\n`);
  const server = serverOf(place.settings, place.settings.token ?? place.settings.measurerToken);
  const remote = server === null ? null : await callOnLoop(server, place, catalogue.loop.getLoopState);
  const { branch } = place.workplace;
  const status = {
    loop: { branch, name: place.settings.loop.name, ...loopLimits(place.settings.loop) },
    file: { run, parked_runs: parked_runs.length, work },
    server:
      remote === null ? null : { work: remote['work'], no_progress: remote['no_progress'], limits: remote['limits'] },
  };
  terminal.stdout.write(`${json ? JSON.stringify(status) : render(status)}\n`);
}

/** L6: a person's decision. The server audits the reason; without one it is said that nobody did. */
export async function resetLoop(reason: string, { json }: Printing, folder: string, terminal: Terminal): Promise<void> {
  const place = await openLoopPlace(folder, terminal.env);
  const server = serverOf(place.settings, place.settings.token);
  if (server === null)
    terminal.stderr.write('Reset in the file alone: no server is configured, so nothing is audited.\n');
  else await callOnLoop(server, place, catalogue.loop.resetLoopWork, { reason });
  const { work } = await place.file.resetWork();
  terminal.stdout.write(`${json ? JSON.stringify({ work }) : render({ work })}\n`);
}
