import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { stores } from '../support/many-changes.ts';
import { safetyQuiz } from '../support/results.ts';
import { openSkippedCampaigns } from '../support/skipped-campaigns.ts';
import { textOf } from '../support/test-bed.ts';

const { ada, tom, rosa } = people;
const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
const mondayMorning = Date.UTC(2030, 0, 28, 10);

test.each(stores)(
  'over %s, a person gets the evidence of each month once, also after a restart, as far as both may see it then',
  { timeout: 400_000 },
  async (store) => {
    const bed = await openSkippedCampaigns(store, mondayMorning, store === 'Redis' ? { instances: 2 } : {});
    const { clock, workspace, testBed, account, start, reply, press, directMessage, skipStopped } = bed;
    account.train('tom', { quizzes: [safetyQuiz] });
    await start(ada.id, '"Workplace safety" for @ravi, @nora within 14d valid 12 months');
    await start(ada.id, '"Food hygiene" for @rosa within 14d valid 12 months');

    const order = await reply(ada.id, '/quiz-campaign evidence monthly to @tom');
    expect(textOf(order)).toContain('*Tom Lindqvist* gets it on the first working day of the next one');
    expect(textOf(await reply(ada.id, '/quiz-campaign evidence monthly to @tom'))).toContain('already');
    expect(textOf(await reply(ada.id, '/quiz-campaign evidence monthly to Rosa Almeida'))).toContain(
      'can’t see results',
    );
    expect(textOf(await reply(rosa.id, '/quiz-campaign evidence monthly'))).not.toContain('Ordered');

    // The first of February is a Friday. Bots are killed and come back in the middle of it.
    const packs = () =>
      workspace.directMessages(tom.id).flatMap(({ files = [] }) => files.filter(({ name }) => name.endsWith('.zip')));
    await clock.skip(4 * dayMs - hourMs - 60_000);
    expect(packs()).toEqual([]);
    await clock.skip(2 * hourMs);
    const [pack] = await workspace.until(() => (packs().length > 0 ? packs() : undefined), 60_000);
    expect(pack?.name).toBe('Training evidence 2030-01.zip');
    for (const bot of testBed.bots) await bot.kill();
    for (const bot of testBed.bots) await bot.start();
    await clock.skip(2 * hourMs);
    expect(packs()).toHaveLength(1);
    const files = unzipSync(new Uint8Array(await (await fetch(pack!.url)).arrayBuffer()));
    const manifest = JSON.parse(Buffer.from(files['manifest.json']!).toString()) as Record<string, unknown>;
    expect(manifest).toMatchObject({ since: '2030-01-01T00:00:00.000Z', until: '2030-02-01T00:00:00.000Z' });
    // Tom sees no campaign for Food hygiene.
    expect(manifest['campaigns']).toMatchObject([{ quiz: safetyQuiz }]);
    expect(manifest['askedBy']).toBe('Ada Okafor, every month for Tom Lindqvist');

    // Who may not see it any more gets a sentence, and who ordered it is told.
    account.change('tom', 'edit_quizzes = 0');
    for (const bot of testBed.bots.slice(1)) await bot.stop();
    await skipStopped(28 * dayMs);
    await directMessage(tom.id, 'There’s no evidence pack for the month of February 2030');
    const told = await directMessage(ada.id, 'didn’t get the evidence pack for the month of February 2030');
    expect(packs()).toHaveLength(1);

    expect(textOf(await reply(ada.id, '/quiz-campaign evidence-orders'))).toContain('next: March 2030');
    await press(ada.id, told, 'Stop');
    await directMessage(ada.id, 'Stopped the monthly evidence pack');
    expect(textOf(await reply(ada.id, '/quiz-campaign evidence-orders'))).toContain(
      'No evidence pack is sent every month',
    );
    const trail = await bed.fileFor(ada.id, '/quiz-admin audit csv', 'entries of the audit trail');
    for (const words of ['February 2030', 'January 2030', 'order-evidence', 'stop-evidence'])
      expect(trail).toContain(words);
  },
);
