import { describe, expect, test } from 'vitest';
import { upgradeContentOutcomes, upgradeStateOutcomes } from '../../src/storage/upgrade-outcomes.ts';
import { version3, version4 } from '../support/version-3.ts';

const parse = (text: string) => JSON.parse(text) as Record<string, unknown>;

describe('data of version 3', () => {
  test.each<[string, (value: Record<string, unknown>) => unknown, keyof typeof version3]>([
    ['a submission to a survey', upgradeContentOutcomes, 'survey'],
    ['a failed submission', upgradeContentOutcomes, 'failed'],
    ['a digest', upgradeContentOutcomes, 'digest'],
    ['a hint', upgradeContentOutcomes, 'hint'],
    ['the state of a channel', upgradeStateOutcomes, 'state'],
    ['the state of a digest', upgradeStateOutcomes, 'digestState'],
  ])('is upgraded: %s, once and for all', (_, upgrade, name) => {
    const upgraded = upgrade(parse(version3[name]));
    expect(upgraded).toEqual(version4[name]);
    expect(upgrade(upgraded as Record<string, unknown>)).toEqual(version4[name]);
  });

  test('without a state has none afterwards', () => {
    expect(upgradeStateOutcomes(null)).toBeNull();
  });
});
