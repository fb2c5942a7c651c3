import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AuditEntry } from '../../src/domain/audit-chain.ts';
import { named, namedPerson, inEnglishThroughout } from '../../src/domain/said.ts';
import { auditEntry } from '../support/builders/governance.ts';
import { opened, sealedLink } from '../support/opened-links.ts';

const rosa = { kind: 'user', id: '17', name: 'Rosa Almeida' };
const ravi = { kind: 'user', id: '18', name: 'Ravi Shah' };
const quiz = { kind: 'quiz', id: 'q-1', name: 'Fire safety' };

const [ofRosa, ofRavi] = [rosa, ravi].map(({ id, name }) => namedPerson({ userId: id, name }));

const suspension = auditEntry({
  operation: 'suspend-user',
  change: `suspend the user ${ofRosa}`,
  targets: [rosa],
  details: [{ label: 'Reason', value: 'she moved to Porto' }],
  message: 'Told r…@quiz.example',
});
const assignment = auditEntry({
  operation: 'assign-quiz',
  change: `assign ${named('Fire safety')} to ${ofRosa} and ${ofRavi}`,
  targets: [quiz, rosa, ravi],
  details: [{ label: 'Reason', value: 'the audit asks for it' }],
  notMade: [`${ofRavi} has it already`],
});
const creation = auditEntry({
  operation: 'create-user',
  change: `create the user ${named('Rosa Almeida')}`,
  targets: [],
  details: [{ label: 'E-mail address', value: 'r…@quiz.example' }],
});

const read = (entry: AuditEntry, erased?: string[]) => opened([sealedLink(entry)], erased)[0]!.entry;
const written = (entry: AuditEntry) => inEnglishThroughout(entry);

describe('an entry on the record', () => {
  test.each([suspension, assignment, creation, auditEntry()])('is read as it was written: $operation', (entry) => {
    expect(read(entry)).toEqual(written(entry));
  });

  test('names nobody in the text that the chain covers, and tells nothing of what was entered', () => {
    for (const entry of [suspension, assignment, creation]) {
      const { text } = sealedLink(entry);
      for (const word of ['Rosa', 'Ravi', 'Porto', 'quiz.example', 'asked', 'already'])
        expect(text).not.toContain(word);
    }
    expect(sealedLink(assignment).text).toContain('Fire safety');
  });

  test('loses what it says of a person who was erased, and nothing else', () => {
    expect(read(suspension, ['user/17'])).toEqual({
      ...suspension,
      change: `suspend ${named('an erased person')}`,
      targets: [{ ...rosa, name: 'an erased person' }],
      details: [{ label: 'Reason', value: 'erased' }],
      message: 'erased',
    });
    expect(read(assignment, ['user/17'])).toEqual({
      ...written(assignment),
      change: `assign ${named('Fire safety')} to ${named('an erased person')} and ${named('Ravi Shah')}`,
      targets: [quiz, { ...rosa, name: 'an erased person' }, ravi],
    });
    expect(read(assignment, ['user/18']).notMade).toEqual([`${named('an erased person')} has it already`]);
  });

  test('keeps the name of a quiz that is called like the person', () => {
    const alike = { ...quiz, name: 'Rosa Almeida' };
    const entry = auditEntry({ change: `assign ${named(alike.name)} to ${ofRosa}`, targets: [alike, rosa] });
    expect(read(entry, ['user/17'])).toEqual({
      ...entry,
      change: `assign ${named('Rosa Almeida')} to ${named('an erased person')}`,
      targets: [alike, { ...rosa, name: 'an erased person' }],
    });
  });

  test('about several people, or about nobody, keeps words of its own under a key of its own', () => {
    expect(read(assignment, ['words/of-1'])).toMatchObject({
      targets: assignment.targets,
      details: [{ label: 'Reason', value: 'erased' }],
      notMade: [`${named('Ravi Shah')}erased`],
    });
    expect(read(creation, ['words/of-1'])).toMatchObject({ change: `create the user ${named('erased')}` });
  });

  test('that was changed in the store is read as far as it can be, so that the chain can say where', () => {
    const link = sealedLink(suspension);
    const [, data = ''] = /"data":"([^"]+)"/.exec(link.text) ?? [];
    const forged = data.replace(/^.{20}/, 'A'.repeat(20));
    for (const text of [link.text.replace(data, forged), link.text.replace(data, 'AA'), '', 'null', '{', '[]', '7']) {
      const [read_] = opened([{ ...link, text }]);
      expect(JSON.stringify(read_!.entry)).not.toContain('Rosa');
      expect(read_!.entry.operation).toMatch(/^(?:suspend-user|unreadable)$/);
    }
  });

  test('can’t be opened with what opens another', () => {
    const [one, other] = opened([sealedLink(suspension), sealedLink(suspension)]);
    expect(one!.openings[0]).not.toEqual(other!.openings[0]);
  });

  test('is read as it was written, whatever the texts in it are', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((one) => !/[\uE000\uE001]/.test(one));
    const entries = fc.record({ names: fc.array(text, { maxLength: 3 }), message: text, value: text });
    fc.assert(
      fc.property(entries, ({ names, message, value }) => {
        const entry = auditEntry({
          change: `suspend ${names.map(named).join(', ')}`,
          targets: names.map((name, index) => ({ kind: index === 0 ? 'quiz' : 'user', id: `u-${index}`, name })),
          details: [{ label: 'Why', value }],
          message,
        });
        expect(read(entry)).toEqual(entry);
      }),
    );
  });
});
