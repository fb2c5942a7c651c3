import type { Simulation } from './bot.ts';
import { idsOfForwarded, labelOf } from './letters.ts';

/** What has to be so when everything has come to its end. */
export async function expectEnd({ ledger, remote, toWake, noted, isCalm, expect }: Simulation): Promise<void> {
  for (const { process } of toWake) expect(process.isDead(), 'a mailbox that gets mail is woken');
  expect((await ledger.outbox.queues()).length === 0, 'nothing is left waiting, and no mailbox is busy');
  for (const [mailbox, { came, state }] of ledger.accounts) {
    const kept = await ledger.outbox.stateOf(mailbox);
    expect(JSON.stringify(kept.state) === JSON.stringify(state), 'the last state that was kept is there');
    expect(
      JSON.stringify(state?.applied ?? []) === JSON.stringify(came.map(labelOf)),
      'every letter is applied once, in its order',
    );
    const revisions = Array.from({ length: state?.revision ?? 0 }, (_, n) => n + 1);
    expect(
      !isCalm || revisions.every((revision) => noted.has(`${mailbox} ${revision}`)),
      'a note is said of all that is kept',
    );
    for (const letter of came) {
      for (const id of idsOfForwarded(letter))
        expect(ledger.isPut({ id, nth: 0 }), 'what is put with a state is there');
      const happened = remote.happened(letter.id);
      if (letter.ask.kind !== 'deed') expect(happened === 0, 'only deeds happen');
      else if (state?.settled[letter.id] === 'done') expect(happened === 1, 'a deed that is done has happened');
      else
        expect(state?.settled[letter.id] === 'given up' && happened === 0, 'a deed that is given up has not happened');
    }
  }
}
