import { createServer } from 'node:http';
import { checkBlocks } from '../../src/sandbox/workspace/block-kit/validate.ts';
import { listenOnLoopback } from '../support/loopback.ts';

/** Starts a server for `response_url`s. The sandbox workspace only creates them for the commands that it sends itself. */
export async function startAnswers() {
  const answered = new Set<string>();
  const wrong: string[] = [];
  const validTexts = new Set<string>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      // Every answer has the same list. Checking each one would take longer than the bot takes to build it.
      if (!validTexts.has(text) && isList(text)) validTexts.add(text);
      if (!validTexts.has(text) || answered.has(request.url!)) wrong.push(text.slice(0, 300));
      answered.add(request.url!);
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 2 }).end('ok');
    });
  });
  server.keepAliveTimeout = 65_000;
  return {
    url: await listenOnLoopback(server),
    answered,
    /** Answers that are not a list of quizzes, and repeated answers to a command. */
    wrong,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function isList(text: string): boolean {
  const { blocks } = JSON.parse(text) as { blocks?: unknown };
  return text.includes('Forklift theory test') && checkBlocks(blocks, { surface: 'message' }).errors === undefined;
}
