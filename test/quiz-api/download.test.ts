import { describe, expect, onTestFinished, test } from 'vitest';
import { readFileName } from '../../src/quiz-api/download.ts';
import { createQuizApi, type QuizApiOptions } from '../../src/quiz-api/quiz-api.ts';
import { startServer } from './scripted-server.ts';

type Answer = Parameters<typeof startServer>[0];

async function download(
  answer: Answer,
  options: Parameters<ReturnType<typeof createQuizApi>['responses']['file']>[3] = {},
  apiOptions: Partial<QuizApiOptions> = {},
) {
  const server = await startServer(answer);
  const api = createQuizApi({ baseUrl: server.baseUrl, apiKey: 'key-1', ...apiOptions });
  onTestFinished(() => api.close());
  onTestFinished(server.stop);
  return api.responses.file('q-1', 'r-1', 'f-1', options);
}

describe('an uploaded file', () => {
  test('is requested for any content type', async () => {
    const file = await download((request, response) => response.end(request.headers.accept));
    expect(Buffer.concat(await file.stream.toArray()).toString()).toBe('*/*');
  });

  test('is returned even if the service gives no name, type or length', async () => {
    const file = await download((_request, response) => response.end('hello'));
    expect(file).toMatchObject({ contentType: null, fileName: null });
  });

  test('is refused at once if its declared length is too large', async () => {
    await expect(download((_request, response) => response.end('12345'), { maxBytes: 4 })).rejects.toMatchObject({
      name: 'FileTooLargeError',
      message: 'GET /v1/quizzes/q-1/responses/r-1/files/f-1 (responses.file) answered with a file of more than 4 bytes',
    });
  });

  test('ends its stream with an error when it becomes too large', async () => {
    const file = await download(
      (_request, response) => {
        response.write('12345');
        response.end('67890');
      },
      { maxBytes: 9 },
    );
    await expect(file.stream.toArray()).rejects.toMatchObject({ name: 'FileTooLargeError' });
  });

  test('is complete at exactly the maximum size', async () => {
    const file = await download(
      (_request, response) => {
        response.write('12345');
        response.end('6789');
      },
      { maxBytes: 9 },
    );
    expect(Buffer.concat(await file.stream.toArray())).toHaveLength(9);
  });

  test('ends its stream with an error when the connection is cut', async () => {
    const file = await download((_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('12345', () => response.destroy());
    });
    await expect(file.stream.toArray()).rejects.toMatchObject({
      name: 'ConnectionError',
      operation: 'responses.file',
      status: 200,
    });
  });

  test('ends its stream with the reason of the caller when the caller aborts', async () => {
    const controller = new AbortController();
    const file = await download((_request, response) => response.write('12345'), { signal: controller.signal });
    const reason = new Error('no longer wanted');
    const read = file.stream.toArray();
    controller.abort(reason);
    await expect(read).rejects.toBe(reason);
  });

  test('ends its stream with a TimeoutError at the deadline', async () => {
    const file = await download((_request, response) => response.write('12345'), { deadline: Date.now() + 1_000 });
    await expect(file.stream.toArray()).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  test('ends its stream with a TimeoutError when no more data arrives', async () => {
    const file = await download((_request, response) => response.write('12345'), {}, { timeoutMs: 500 });
    await expect(file.stream.toArray()).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  test('releases its connection when the stream is destroyed', async () => {
    const gone = Promise.withResolvers<boolean>();
    const file = await download((request, response) => {
      request.socket.once('close', () => gone.resolve(true));
      response.write('12345');
    });
    file.stream.destroy();
    expect(await gone.promise).toBe(true);
  });
});

test.each([
  ['attachment; filename="notes.txt"', 'notes.txt'],
  ['attachment; filename=notes.txt', 'notes.txt'],
  ['attachment; filename="a \\"b\\".txt"', 'a "b".txt'],
  ['attachment; filename="x.txt"; filename*=UTF-8\'\'%E6%97%A5.txt', '日.txt'],
  ["attachment; filename*=UTF-8''%FF.txt; filename=plain.txt", 'plain.txt'],
  ['attachment; filename="../../etc/passwd"', 'passwd'],
  ['attachment; filename="C:\\\\temp\\\\x.exe"', 'x.exe'],
  ['attachment; filename="a\u0000\nb.txt"', 'ab.txt'],
  ['attachment; filename=".."', null],
  ['attachment; filename=""', null],
  ['inline', null],
])('reads from %j the file name %j', (disposition, name) => {
  expect(readFileName({ 'content-disposition': disposition })).toBe(name);
});
