import { setTimeout as pause } from 'node:timers/promises';
import type { QuizService } from '../../src/sandbox/quiz-service/service.ts';
import { addQuiz } from '../../src/sandbox/quiz-service/store/quizzes.ts';
import { eventBody, sendEvent } from '../support/event.ts';
import { textOf } from '../support/open-test-bed.ts';
import { openProcessTestBed } from '../support/process-test-bed.ts';
import { connectRedis, redisMissing } from '../support/redis.ts';
import { heldAgainst, type BenchOptions, type BenchRow } from './bench-row.ts';

const timeoutMs = 20 * 60_000;

interface Missed {
  response_id: string;
  quiz_id: string;
  last_name: string;
}

/** Redis loses webhooks that it had taken: how long it takes until they are announced all the same, with the service’s request limit. */
export async function run({ isShort }: BenchOptions): Promise<BenchRow[]> {
  if (redisMissing !== null) return [];
  const [addedQuizzes, submissions] = isShort ? [2, 2] : [40, 20];
  const testBed = await openProcessTestBed({
    store: 'redis',
    hasRequestLimit: true,
    beforeStart: async (_, { quizService }) => addQuizzes(quizService, addedQuizzes),
  });
  try {
    const { workspace, quizService, redis } = testBed;
    const submitted = new Date().toISOString().slice(0, 19).replace('T', ' ');
    const missed = submitNow(quizService, { submissions, submitted });
    const end = workspace.faults.inject({ kind: 'rate-limited', retryAfterS: 1 }, { method: 'chat.postMessage' });
    for (const { response_id, quiz_id, last_name } of missed)
      await sendEvent(
        testBed.bots[0]!.url,
        eventBody({ event_id: response_id }, { response_id, quiz_id, last_name, date_submitted: submitted }),
      );
    const client = await connectRedis(redis!.url);
    await client.flushAll();
    client.destroy();
    const lostAt = performance.now();
    end();
    const isAnnounced = ({ last_name: name }: Missed) =>
      workspace.messages(workspace.channels.results.id).some((message) => textOf(message).includes(name));
    const backMs = new Map<string, number>();
    while (backMs.size < missed.length && performance.now() - lostAt < timeoutMs) {
      for (const one of missed)
        if (!backMs.has(one.response_id) && isAnnounced(one)) backMs.set(one.response_id, performance.now() - lostAt);
      await pause(100);
    }
    const times = [...backMs.values()];
    const seconds = (ms: number) => `${(ms / 1_000).toFixed(0)} s`;
    const quizzes = quizService.database.get<{ n: number }>('SELECT count(*) AS n FROM quizzes')!.n;
    return [
      {
        name: `Redis is emptied: until ${submissions} webhooks that it had taken are announced, ${quizzes} quizzes`,
        figure: `the first after ${seconds(Math.min(...times))}, the last after ${seconds(Math.max(...times))}, ${missed.length - times.length} missing`,
        ...heldAgainst('content lost', {
          minutes: Math.max(...times) / 60_000,
          missing: missed.length - times.length,
        }),
      },
    ];
  } finally {
    await testBed.close();
  }
}

function addQuizzes({ database }: QuizService, count: number): void {
  for (let number = 1; number <= count; number += 1)
    addQuiz(database, {
      quiz_id: `10000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
      name: `Course ${number}`,
      status: 'open',
      date_created: '2026-01-01 00:00:00',
    });
}

/** Attempts that are submitted now, at as many quizzes, by people of different names. */
function submitNow(
  { database }: QuizService,
  { submissions, submitted }: { submissions: number; submitted: string },
): Missed[] {
  const responses = database.all<{ response_id: string }>(
    'SELECT response_id FROM responses WHERE status = ? ORDER BY response_id LIMIT ?',
    ['submitted', submissions],
  );
  const quizzes = database.all<{ quiz_id: string }>('SELECT quiz_id FROM quizzes ORDER BY quiz_id DESC LIMIT ?', [
    submissions,
  ]);
  return responses.map(({ response_id }, index) => {
    const missed = { response_id, quiz_id: quizzes[index]!.quiz_id, last_name: `Missing${index + 100}` };
    database.run('UPDATE responses SET quiz_id = ?, last_name = ?, date_submitted = ? WHERE response_id = ?', [
      missed.quiz_id,
      missed.last_name,
      submitted,
      response_id,
    ]);
    return missed;
  });
}
