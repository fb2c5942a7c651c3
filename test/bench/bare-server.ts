import { createServer } from 'node:http';
import { quizAnswer, userAnswer } from '../support/service-answers.ts';

/*
 * A program with a bare HTTP server that answers fixed bytes. Its own process leaves the other core of the machine to the
 * client. It sends its port to its parent and exits with it.
 */

function userList(count: number): Buffer {
  const users = Array.from({ length: count }, (_, index) =>
    userAnswer({
      user_id: `3f2b7c9e-0000-4000-8000-${String(index).padStart(12, '0')}`,
      user_name: `person.${index}@example.com`,
      email_address: `person.${index}@example.com`,
      first_name: `First${index}`,
      last_name: `Last${index}`,
      organization: 'North Hospital',
      quizzes: Array.from({ length: index % 3 }, (_unused, quiz) => ({
        quiz_id: `9a1d7c9e-0000-4000-8000-${String(quiz).padStart(12, '0')}`,
        name: `Quiz number ${quiz}`,
        date_assigned: '2024-05-06 17:10:00',
      })),
    }),
  );
  return Buffer.from(JSON.stringify(users));
}

const bodies = new Map([
  ['/api/v1/quizzes/q-1', Buffer.from(JSON.stringify(quizAnswer()))],
  ['/api/v1/users', userList(Number(process.argv[2]))],
]);

const server = createServer((request, response) => {
  const body = bodies.get(request.url ?? '') ?? Buffer.from('{}');
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
}).listen(0, '127.0.0.1', () => process.send?.(server.address()));

process.on('disconnect', () => process.exit());
