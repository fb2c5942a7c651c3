import { expect, onTestFinished, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { addCrew, crewWithQuiz } from '../support/many-changes.ts';
import { fastProcessClock } from '../support/fast-clock.ts';
import { openProcessTestBed } from '../support/process-test-bed.ts';
import { textOf } from '../support/test-bed.ts';
import { readReadyz } from './observation.ts';
import { eventually } from '../support/watchdog.ts';

const { ada } = people;
const crewSize = 20;

test('a restart between an assignment, its undoing and another within a minute sends the service no request too many, and names the budget as the cause of each change that is not sent', async () => {
  let crew: string[] = [];
  const testBed = await openProcessTestBed({
    store: 'sqlite',
    // The service’s minute is half a minute, in which a busy machine gets through three commands.
    clock: fastProcessClock(2),
    hasRequestLimit: true,
    beforeStart: async (_, { quizService }) => void (crew = addCrew(quizService, crewSize)),
  });
  onTestFinished(() => testBed.close());
  const {
    workspace,
    quizService,
    bots: [bot],
  } = testBed;
  const ready = () => eventually(async () => expect(await readReadyz(bot!)).toMatch(/^200/));
  const typed = async (command: string) =>
    textOf(
      await (
        await workspace.as(ada.id).command(`${command} ${crew.join(', ')}`, { channel: workspace.channels.training.id })
      ).reply(),
    );
  const refused = async () =>
    (await (await fetch(`${bot!.url}/metrics`)).text())
      .matchAll(/^invigilator_quiz_calls_total\{.*status="429"\} (\d+)$/gm)
      .reduce((sum, [, count]) => sum + Number(count), 0);

  await ready();
  expect(await typed('/quiz assign workplace to')).toContain('Assigned');
  expect(await typed('/quiz unassign workplace from')).toContain('Unassigned');
  await bot!.stop();
  await bot!.start();
  await ready();
  const answer = await typed('/quiz assign workplace to');
  expect(crewWithQuiz(quizService)).toBeLessThan(crewSize);
  expect(answer).not.toMatch(/answer/);
  expect(
    answer.match(/Couldn’t assign it to \*Crew \d+\*: the bot’s requests to the quiz service are used up for now\./g),
  ).toHaveLength(crewSize - crewWithQuiz(quizService));
  expect(await refused()).toBe(0);
});
