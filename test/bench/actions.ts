import { people } from '../../src/sandbox/workspace/people.ts';
import { openTestBed, textOf, type TestBed } from '../support/open-test-bed.ts';
import type { BenchRow } from './bench-row.ts';

/** What an action of a person costs the quiz service, once the bot has its lists: its writes, and its reads. */
const actions: { name: string; goal: { writes: number; reads: number }; act: (testBed: TestBed) => Promise<void> }[] = [
  { name: 'close a quiz by command', goal: { writes: 1, reads: 1 }, act: (testBed) => command(testBed, '/quiz close workplace') },
  { name: 'close a quiz by form', goal: { writes: 1, reads: 1 }, act: closeByForm },
  { name: 'assign a quiz to one person', goal: { writes: 1, reads: 1 }, act: (testBed) => command(testBed, '/quiz assign first aid to Rosa Almeida') },
  { name: 'suspend a user', goal: { writes: 1, reads: 1 }, act: (testBed) => command(testBed, '/quiz-user suspend Ravi Banerjee') },
  { name: 'list the quizzes', goal: { writes: 0, reads: 1 }, act: (testBed) => command(testBed, '/quiz list') },
  { name: 'ten keystrokes in a picker', goal: { writes: 0, reads: 0 }, act: typeInPicker },
];

export async function run(): Promise<BenchRow[]> {
  const takeDown: (() => void | Promise<void>)[] = [];
  const testBed = await openTestBed({}, (step) => takeDown.push(step));
  try {
    await command(testBed, '/quiz list');
    const rows: BenchRow[] = [];
    for (const { name, goal, act } of actions) rows.push(await measure(testBed, name, goal, act));
    return rows;
  } finally {
    for (const step of takeDown.toReversed()) await step();
  }
}

async function measure(testBed: TestBed, name: string, goal: { writes: number; reads: number }, act: (testBed: TestBed) => Promise<void>): Promise<BenchRow> {
  const before = testBed.requests.length;
  await act(testBed);
  const asked = testBed.requests.slice(before);
  const reads = asked.filter((request) => request.startsWith('GET')).length;
  const writes = asked.length - reads;
  return {
    name: `requests to the service: ${name}`,
    figure: `${writes} ${writes === 1 ? 'write' : 'writes'}, ${reads} ${reads === 1 ? 'read' : 'reads'}`,
    goal: `${goal.writes} and at most ${goal.reads}`,
    met: writes === goal.writes && reads <= goal.reads,
  };
}

async function command({ workspace }: TestBed, text: string): Promise<void> {
  await (await workspace.as(people.ada.id).command(text)).reply();
}

async function closeByForm({ workspace }: TestBed): Promise<void> {
  const ada = workspace.as(people.ada.id);
  const form = await (await ada.shortcut('close-quiz')).view();
  const { view } = await ada.submit(form, { quiz: 'Onboarding, week 1' });
  if (!textOf(view).includes('is closed')) throw new Error('the quiz was not closed');
}

async function typeInPicker({ workspace }: TestBed): Promise<void> {
  const ada = workspace.as(people.ada.id);
  const form = await (await ada.shortcut('suspend-user')).view();
  for (let letters = 1; letters <= 10; letters += 1) await ada.options(form, 'user', 'rosa almeida'.slice(0, letters));
}
