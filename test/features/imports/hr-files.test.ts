import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { BatchRow } from '../../../src/domain/batch.ts';
import { inEnglish, plainSentence } from '../../../src/domain/said.ts';
import { askedBy, chosen, importing } from './importing.ts';

const hrFiles = readFileSync('test/features/imports/hr-files.txt', 'utf8')
  .trimEnd()
  .split('\n\n# ')
  .slice(1)
  .map((text) => {
    const [name = '', ...lines] = text.split('\n');
    const marked = (mark: string) => lines.flatMap((line) => (line.startsWith(mark) ? [line.slice(mark.length)] : []));
    const content = lines.filter((line) => !/^(?:# |=> |says: |asks: |answer: )/.test(line));
    return {
      name,
      content: `${content.join('\n')}\n`,
      rows: marked('=> '),
      says: marked('says: '),
      question: marked('asks: ')[0],
      answers: Object.fromEntries(marked('answer: ').map((answer) => answer.split(' = ') as [string, string])),
    };
  });

test('the files are of many tools', () => expect(hrFiles.length).toBeGreaterThanOrEqual(60));

describe('a file of an HR tool', () => {
  test.each(hrFiles)('$name is read, and no password in it is kept', async (file) => {
    const first = await importing(file.content);
    const asked = askedBy(first.outcome);
    expect(asked?.question).toBe(file.question && `❓ ${file.question} What do the columns of *new-hires.csv* hold?`);
    const answers = asked && chosen(asked, file.answers);
    const { preview, table, plan, account } = answers
      ? await importing(file.content, { input: { columns: answers } })
      : first;
    const problems = new Map(
      [...(preview?.problems ?? []), ...(preview?.gone ?? [])].map(({ line, person, note }) => [
        person,
        `Line ${line}, ${person}: ${plainSentence(inEnglish(note))}`,
      ]),
    );
    expect(plan?.content.rows.map((row) => (row.kind === 'none' ? problems.get(row.name) : rowInWords(row)))).toEqual(
      file.rows,
    );
    const said = preview?.notices.map(plainSentence).join('\n') ?? '';
    for (const part of file.says) expect(said).toContain(part);
    expect(preview?.privileged.length).toBe(file.rows.filter((row) => row.includes('type=')).length);
    // No password of a file, and nothing that looks like one.
    expect(JSON.stringify([preview, table, plan, account.logged(), await account.record()])).not.toMatch(/canary/);
  });
});

function rowInWords(row: Extract<BatchRow, { kind: 'change' }>): string {
  const [{ input }, ...others] = row.changes;
  const [type = ''] = input['user_type'] ?? [];
  const groups = others.flatMap((change) => change.input['group'] ?? []);
  return [
    [input['first_name'], input['last_name'], input['user_name']].map((texts) => texts?.[0] ?? '').join('|'),
    ...(input['email_address'] ? [`e-mail=${input['email_address'].join()}`] : []),
    ...(type === 'respondent' ? [] : [`type=${type}`]),
    ...(groups.length > 0 ? [`groups=${groups.join()}`] : []),
  ].join(' ');
}
