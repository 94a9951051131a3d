import type { Client } from 'pg';

/** The part of node-postgres' connection that COPY needs; its types leave it out. */
interface CopyConnection {
  query(sql: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** What node-postgres calls on a statement that it submits. */
interface Submitted {
  submit(connection: CopyConnection): void;
  handleCopyInResponse(connection: CopyConnection): void;
  handleCommandComplete(): void;
  handleReadyForQuery(): void;
  handleError(error: Error): void;
}

/** `COPY … FROM STDIN` with one chunk of text (PostgreSQL documentation, Frontend/Backend Protocol, COPY Operations). */
export function copyIn(client: Client, sql: string, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let failure: Error | null = null;
    const statement: Submitted = {
      submit: (connection) => connection.query(sql),
      handleCopyInResponse: (connection) => {
        connection.sendCopyFromChunk(Buffer.from(text));
        connection.endCopyFrom();
      },
      handleCommandComplete: () => undefined,
      handleReadyForQuery: () => (failure === null ? resolve() : reject(failure)),
      handleError: (error) => {
        failure = error;
        reject(error);
      },
    };
    (client.query as (submitted: Submitted) => unknown)(statement); // the form for statements of others
  });
}
