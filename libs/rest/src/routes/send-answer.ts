import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CallResult, OperationContract } from '@perdure/contracts';
import type { Response } from 'express';

/** Sends what an operation answered, with the status and the headers that its contract asks for. */
export async function sendAnswer(
  response: Response,
  { route, disclosedOnce }: OperationContract,
  { output, replayed, download }: CallResult,
): Promise<void> {
  if (replayed) response.set('idempotent-replayed', 'true');
  if (disclosedOnce !== undefined && disclosedOnce.length > 0) response.set('cache-control', 'no-store');
  response.status(successOf(route, output));
  if (download !== undefined && route.download !== undefined) {
    response.type(download.mediaType ?? route.download.mediaType).attachment(download.fileName);
    await pipeline(Readable.from(download.bytes), response);
    return;
  }
  if (route.stream === undefined) {
    response.json(output);
    return;
  }
  response.type(route.stream.mediaType);
  await pipeline(Readable.from(route.stream.lines(output)), response);
}

function successOf({ accepted, creates }: OperationContract['route'], output: CallResult['output']): number {
  if (accepted === true) return 202;
  return creates?.(output) === true ? 201 : 200;
}
