import type { CallResult, Download, OperationContract } from '@perdure/contracts';
import type { DataSource } from 'typeorm';
import type { DownloadOffer } from './implement.js';

/** The offer of one call; `opened` is asked after the commit. */
export class OneDownload implements DownloadOffer {
  private open: ((dataSource: DataSource) => Download) | null = null;

  constructor(readonly isStreamed: boolean) {}

  readonly offer = (open: (dataSource: DataSource) => Download): void => {
    this.open = open;
  };

  /** The result with its file: beside the answer where the transport sends it on, inside it where not. */
  async addTo(result: CallResult, contract: OperationContract, dataSource: DataSource): Promise<CallResult> {
    if (this.open === null) return result;
    const download = this.open(dataSource);
    if (this.isStreamed) return { ...result, download };
    const inline = contract.route.download?.inline;
    if (inline === undefined) throw new Error(`${contract.name} offers a file and does not say where it stands inline`);
    return { ...result, output: { ...result.output, [inline]: await inBase64(download.bytes) } };
  }
}

async function inBase64(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString('base64');
}
