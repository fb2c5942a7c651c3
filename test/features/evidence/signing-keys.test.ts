import { createPublicKey, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSigningKeys, type StoredKeys } from '../../../src/features/evidence/signing-keys.ts';

/** A store that two instances share, in which one works at a time. */
function sharedKeys() {
  let stored: StoredKeys | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const store = {
    get: async () => stored as never,
    async set(_key: string, keys: unknown) {
      stored = keys as StoredKeys;
      return true;
    },
  };
  const inTurn = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    const turn = last.then(work);
    last = turn;
    return turn;
  };
  return (now: number, madeSince?: number) => createSigningKeys({ store, inTurn, madeSince, now: () => now })();
}

test('instances that start together share one key', async () => {
  const instance = sharedKeys();
  const [one, other] = await Promise.all([instance(1_000), instance(1_001)]);
  expect(one.keys).toHaveLength(1);
  expect(other.keys).toEqual(one.keys);
});

test('the public key verifies what the private one signed', async () => {
  const { keys, sign } = await sharedKeys()(1_000);
  const [{ publicKey }] = keys;
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
  expect(verify(null, Buffer.from('a'), key, Buffer.from(sign(Buffer.from('a')), 'base64'))).toBe(true);
  expect(verify(null, Buffer.from('b'), key, Buffer.from(sign(Buffer.from('a')), 'base64'))).toBe(false);
});

test('a key is replaced once, and the public half before it stays known with its time', async () => {
  const instance = sharedKeys();
  const before = await instance(1_000);
  const after = await instance(5_000, 4_000);
  expect(after.keys[0].fingerprint).not.toBe(before.keys[0].fingerprint);
  expect(after.keys.slice(1)).toEqual([{ ...before.keys[0], until: 5_000 }]);
  expect((await instance(6_000, 4_000)).keys).toEqual(after.keys);
});

test('a key is not replaced before the time comes', async () => {
  const instance = sharedKeys();
  const { keys } = await instance(1_000);
  expect((await instance(2_000, 4_000)).keys).toEqual(keys);
});

test('the private half is in nothing that a signer gives', async () => {
  const signer = await sharedKeys()(1_000);
  expect(JSON.stringify(signer)).not.toMatch(/private|MC4CAQAw/);
});
