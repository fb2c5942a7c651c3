import { readFile } from 'node:fs/promises';
import type { Keyv } from 'keyv';
import { InvigilatorError } from '../../domain/errors.ts';
import type { EvidenceTools } from '../../operations/services/records.ts';
import { createSigningKeys, type StoredKeys } from './signing-keys.ts';

/** Another instance has been making the key for longer than it takes. */
class KeyBusyError extends InvigilatorError {
  readonly code = 'evidence_key_busy';
}

/** What packs of evidence are signed and checked with, for every instance the same. */
export function createEvidenceTools({
  oneAtATime,
  ...deps
}: {
  store: Pick<Keyv<StoredKeys>, 'get' | 'set'>;
  /** Lets one instance at a time work under a name. */
  oneAtATime: {
    inTurn<Value>(
      name: string,
      work: () => Promise<Value>,
    ): Promise<{ isBusy: false; value: Value } | { isBusy: true }>;
  };
  madeSince: number | undefined;
  now: () => number;
}): EvidenceTools {
  return {
    signer: createSigningKeys({
      ...deps,
      async inTurn(work) {
        const turn = await oneAtATime.inTurn('evidence-key', work);
        if (turn.isBusy) throw new KeyBusyError('the key of evidence packs is being made by another instance');
        return turn.value;
      },
    }),
    verifier: async () => readFile(new URL('./verify.mjs', import.meta.url), 'utf8'),
  };
}
