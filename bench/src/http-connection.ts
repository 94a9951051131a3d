import { connect, type Socket } from 'node:net';

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

interface Waiting {
  resolve: (answer: HttpAnswer) => void;
  reject: (error: Error) => void;
}

/**
 * One kept-alive connection with one request open at a time. Written by hand because client and server share two cores
 * here: `fetch` and `node:http` take as long for a request as the server has for it, and would measure themselves.
 */
export class HttpConnection {
  private received = '';
  private waiting: Waiting | null = null;

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => this.take(chunk));
    socket.on('error', (error) => this.fail(error));
    socket.on('close', () => this.fail(new Error('the server closed the connection')));
  }

  static open(port: number): Promise<HttpConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => resolve(new HttpConnection(socket)));
      socket.once('error', reject);
    });
  }

  /** @param request a whole request, as `postRequest` makes it */
  send(request: Buffer): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.socket.write(request);
    });
  }

  close(): void {
    this.socket.destroy();
  }

  private take(chunk: string): void {
    this.received += chunk;
    const answer = wholeAnswer(this.received);
    if (answer === null) return;
    this.received = '';
    this.waiting?.resolve(answer);
    this.waiting = null;
  }

  private fail(error: Error): void {
    this.waiting?.reject(error);
    this.waiting = null;
  }
}

/** Null while something of it is still on its way. */
function wholeAnswer(text: string): HttpAnswer | null {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const head = text.slice(0, headEnd).toLowerCase();
  const body = text.slice(headEnd + 4);
  const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1];
  const whole = length === undefined ? body.endsWith('0\r\n\r\n') : body.length >= Number(length);
  return whole ? { status: Number(text.slice(9, 12)), text: body } : null;
}

/** A POST of JSON, ready for the wire. */
export function postRequest(path: string, headers: Readonly<Record<string, string>>, body: string): Buffer {
  const all = {
    host: '127.0.0.1',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}
