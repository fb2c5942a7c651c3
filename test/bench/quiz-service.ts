import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { respondents, staff } from '../../src/sandbox/quiz-service/sample/people.ts';
import { forkProgram, serverUrl } from '../support/child-process.ts';
import { median } from '../support/measurements.ts';
import type { BenchRow } from './bench-row.ts';

const connections = 16;
const rounds = 5;
const userCount = 1000;
const apiKey = 'bench-key';
const unlimited = '1000000000';

/** A kind of request and its number per round. */
interface Load {
  name: string;
  method: 'GET' | 'POST';
  path: string;
  form?: string;
  count: number;
}

/** Compares the requests per second of the quiz service with a bare `node:http` server that returns the same bytes. */
export async function run(): Promise<BenchRow[]> {
  const directory = mkdtempSync(join(tmpdir(), 'quiz-service-bench-'));
  const service = await startService(directory);
  const bare = forkProgram('test/bench/quiz-service-bare.ts');
  try {
    const loads = await chooseLoads(service.url);
    const answers = await Promise.all(
      loads.map(async (load) => [`${load.method} ${load.path}`, await read(service.url, load)]),
    );
    bare.send(Object.fromEntries(answers));
    const portOf = (url: string) => Number(new URL(url).port);
    const ports = { service: portOf(service.url), bare: portOf(await serverUrl(bare)) };
    const rows: BenchRow[] = [];
    for (const load of loads) rows.push(await compare(load, ports));
    return rows;
  } finally {
    bare.disconnect();
    await service.stop();
    rmSync(directory, { recursive: true });
  }
}

async function chooseLoads(url: string): Promise<Load[]> {
  const firstId = async (path: string, field: string): Promise<string> => {
    const { body } = await read(url, { method: 'GET', path });
    return z
      .array(z.record(z.string(), z.unknown()))
      .transform(([first]) => String(first?.[field]))
      .parse(JSON.parse(body));
  };
  const quiz = `/api/v1/quizzes/${await firstId('/api/v1/quizzes', 'quiz_id')}`;
  const user = `/api/v1/users/${await firstId('/api/v1/users', 'user_id')}`;
  return [
    { name: 'one quiz', method: 'GET', path: quiz, count: 2000 },
    { name: 'the list of quizzes', method: 'GET', path: '/api/v1/quizzes', count: 2000 },
    { name: 'one user', method: 'GET', path: user, count: 2000 },
    { name: 'a list of 1,000 users', method: 'GET', path: '/api/v1/users', count: 32 },
    { name: 'update a quiz', method: 'POST', path: quiz, form: 'status=open', count: 1000 },
  ];
}

async function compare(load: Load, ports: { service: number; bare: number }): Promise<BenchRow> {
  const lengths = { service: await answerLength(ports.service, load), bare: await answerLength(ports.bare, load) };
  if (lengths.service !== lengths.bare)
    throw new Error(`${load.name}: ${lengths.service} bytes against ${lengths.bare}`);
  const perSecond = { service: [] as number[], bare: [] as number[] };
  for (let round = 0; round <= rounds; round += 1) {
    const order = round % 2 === 0 ? (['bare', 'service'] as const) : (['service', 'bare'] as const);
    for (const which of order) {
      const rate = await measure(ports[which], load, lengths[which]);
      const isWarmUp = round === 0;
      if (!isWarmUp) perSecond[which].push(rate);
    }
  }
  const ratio = median(perSecond.service.map((rate, round) => rate / (perSecond.bare[round] ?? Number.NaN)));
  const [service, bare] = [median(perSecond.service), median(perSecond.bare)].map((rate) =>
    Math.round(rate).toLocaleString('en'),
  );
  return {
    name: `quiz service against bare node:http, ${load.name}`,
    figure: `${ratio.toFixed(2)} of its requests per second (${service} to ${bare})`,
  };
}

/** Measures requests per second over kept-alive connections. Each connection sends the next request after the response. */
async function measure(port: number, load: Load, answerBytes: number): Promise<number> {
  const request = requestBytes(load);
  const startedMs = performance.now();
  let left = load.count;
  await Promise.all(
    Array.from({ length: connections }, async () => sendRequests(port, request, answerBytes, () => (left -= 1) >= 0)),
  );
  return load.count / ((performance.now() - startedMs) / 1000);
}

/**
 * Sends requests over one connection while `hasNext` returns true. An HTTP client would cost more than the bare server,
 * so this one only counts bytes: all responses to a request have the same known length.
 */
async function sendRequests(port: number, request: Buffer, answerBytes: number, hasNext: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let missing = 0;
    const sendNext = () => {
      if (!hasNext()) return socket.end();
      missing = answerBytes;
      return socket.write(request);
    };
    socket.on('connect', sendNext);
    socket.on('data', (chunk: Buffer) => {
      if (missing === answerBytes && chunk.toString('latin1', 0, 12) !== 'HTTP/1.1 200')
        socket.destroy(new Error('the status is not 200'));
      missing -= chunk.length;
      if (missing < 0) socket.destroy(new Error('a response was too long'));
      if (missing === 0) sendNext();
    });
    socket.on('error', reject);
    socket.on('close', () => (missing === 0 ? resolve() : reject(new Error('a connection closed during a response'))));
  });
}

/** The length of the whole response in bytes, headers and body. */
async function answerLength(port: number, load: Load): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(requestBytes(load)));
    const chunks: Buffer[] = [];
    socket.on('error', reject);
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      const text = Buffer.concat(chunks).toString('latin1');
      const bodyAt = text.indexOf('\r\n\r\n') + 4;
      const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
      if (bodyAt < 4 || text.length < bodyAt + Number(length)) return;
      socket.destroy();
      resolve(text.length);
    });
  });
}

function requestBytes({ method, path, form }: Load): Buffer {
  const head = [`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1', `x-api-key: ${apiKey}`];
  if (form !== undefined)
    head.push('content-type: application/x-www-form-urlencoded', `content-length: ${form.length}`);
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${form ?? ''}`);
}

async function read(
  url: string,
  { method, path, form }: Pick<Load, 'method' | 'path' | 'form'>,
): Promise<{ contentType: string; body: string }> {
  const headers = {
    'x-api-key': apiKey,
    ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
  };
  const answer = await fetch(url + path, { method, headers, ...(form !== undefined && { body: form }) });
  return { contentType: answer.headers.get('content-type') ?? '', body: await answer.text() };
}

async function startService(directory: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const users = String(userCount - staff.length - respondents.length);
  const child = spawn(process.execPath, ['src/sandbox/quiz-service/main.ts', '--users', users], {
    env: {
      PORT: '0',
      DATA_DIR: directory,
      QUIZ_API_KEY: apiKey,
      QUIZ_RATE_PER_MINUTE: unlimited,
      QUIZ_RATE_PER_HOUR: unlimited,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      const [, found] = /^Quiz service: (.+)$/.exec(line) ?? [];
      if (found !== undefined) resolve(found);
    });
    void exited.then(() => reject(new Error('The quiz service did not start.')));
  });
  return {
    url,
    async stop() {
      child.kill();
      await exited;
    },
  };
}
