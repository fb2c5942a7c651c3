import { createServer } from 'node:http';
import * as z from 'zod';

/*
 * A program with a bare HTTP server that returns the responses from its parent, by method and path. It sends its port to
 * its parent and exits with it.
 */

const answersSchema = z.record(z.string(), z.object({ contentType: z.string(), body: z.string() }));

process.once('message', (message) => {
  const answers = new Map(
    Object.entries(answersSchema.parse(message)).map(([call, { contentType, body }]) => [
      call,
      { contentType, body: Buffer.from(body) },
    ]),
  );
  const server = createServer((request, response) => {
    const answer = answers.get(`${request.method} ${request.url}`);
    request.resume().once('end', () => {
      if (answer)
        response
          .writeHead(200, { 'content-type': answer.contentType, 'content-length': answer.body.length })
          .end(answer.body);
      else response.writeHead(404).end();
    });
  }).listen(0, '127.0.0.1', () => process.send?.(server.address()));
});

process.on('disconnect', () => process.exit());
