import type { BatchProgress } from '../../domain/batch.ts';
import { plainSentence } from '../../domain/sentence.ts';
import { invalid, namesNothing, valueOf, type FieldBase, type FieldKind } from './field-kind.ts';
import { say } from '../../domain/said.ts';

/** Many changes that run in the background, by their ID. Only buttons name it. */
export interface BatchField extends FieldBase {
  kind: 'batch';
}

export const batchKind: FieldKind<BatchField, BatchProgress> = {
  ...namesNothing,
  split: (typed) => [typed.trim()],
  async resolve([id = ''], _field, { batches, actor, rights }) {
    const progress = await batches.progress(id);
    if (progress === undefined) return invalid(say`This change is no longer on record.`);
    const isTheirs = progress.batch.ownerId === actor.personId || rights.has('administrator');
    return isTheirs
      ? valueOf(progress)
      : invalid(say`Only the person who started this change, and administrators, can do that.`);
  },
  identify: ({ batch }) => [batch.id],
  describe: ({ batch }) => plainSentence(batch.action),
};
