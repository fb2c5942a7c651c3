import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Encoding } from '../../../src/features/imports/letters.ts';
import { plainSentence } from '../../../src/domain/said.ts';
import { askedBy, chosen, importing } from './importing.ts';
import { runs } from '../../support/drawn.ts';

/** The bytes of a text; undefined where the encoding lacks a letter. */
function written(text: string, encoding: Encoding): Buffer | undefined {
  if (encoding === 'utf-8') return Buffer.from(text);
  const bytes = Array.from(text, (letter) => bytesOf(encoding).get(letter));
  return bytes.includes(undefined) ? undefined : Buffer.from(bytes as number[]);
}

const tables = new Map<Encoding, ReadonlyMap<string, number>>();
function bytesOf(encoding: Encoding): ReadonlyMap<string, number> {
  const known = tables.get(encoding);
  if (known) return known;
  const table = new Map(
    Array.from({ length: 256 }, (_, byte) => [new TextDecoder(encoding).decode(Uint8Array.of(byte)), byte] as const),
  );
  tables.set(encoding, table);
  return table;
}

const excels = ['windows-1252', 'windows-1250', 'windows-1254', 'iso-8859-2', 'macintosh', 'utf-8'] as const;
const update = { existing: ['update'] };

function csv(names: readonly string[], titles = 'E-mail,First name'): string {
  const people = ['rosa', 'uma', ...names.map((_, at) => `new${at}`)];
  return [titles, ...names.map((name, at) => `${people[at]}@quiz.example,${name}`), ''].join('\n');
}

const firstNames = ({ plan }: Awaited<ReturnType<typeof importing>>) =>
  plan?.content.rows.flatMap((row) => (row.kind === 'change' ? row.changes[0].input['first_name'] : []));

describe('the letters of a file', () => {
  test.each([
    ['windows-1252', ['Jörg', 'José', 'Zoë'], 'Windows-1252'],
    ['windows-1250', ['Łukasz', 'Żaneta', 'Wiśniewski'], 'Windows-1250'],
    ['windows-1250', ['Jiří', 'Šárka', 'Růžena'], 'Windows-1250'],
    ['windows-1250', ['Győző', 'Ágnes', 'Zsófia', 'Łukasz', 'Wiśka'], 'Windows-1250'],
    ['windows-1254', ['Ayşe', 'Çağrı', 'İbrahim'], 'Windows-1254'],
    ['iso-8859-2', ['Łukasz', 'Stanisław', 'Wiśniewski'], 'ISO 8859-2'],
    ['macintosh', ['José', 'Zoë', 'Müller', 'Benoît'], 'Mac OS Roman'],
  ] as const)('in %s are found out: %s', async (encoding, names, known) => {
    const done = await importing(written(csv(names), encoding)!, { input: update });
    expect(firstNames(done)).toEqual(names);
    expect(done.preview?.notices.map(plainSentence)[0]).toBe(
      `The file isn’t in UTF-8, and the bot reads its letters as ${known}. If a name is wrong, press *Columns…* and choose how they are read.`,
    );
    expect(done.preview?.names?.map(({ first }) => first)).toEqual(names.slice(0, 3));
  });

  test('are asked about where several ways give names, and the answer holds', async () => {
    const content = written(csv(['Hélène', 'Jérôme', 'Michèle']), 'windows-1252')!;
    const { outcome, account } = await importing(content, { input: update });
    const asked = askedBy(outcome)!;
    expect(asked.question).toBe(
      '❓ *new-hires.csv* isn’t in UTF-8, and its names can be read in several ways. Which is right?',
    );
    expect(asked.columns).toEqual([
      {
        title: 'Letters',
        samples: 'Choose the line in which the names are right. If there’s none, save the list as CSV UTF-8.',
        usual: 'letters=windows-1252',
      },
    ]);
    const western = await importing(content, { account, input: { ...update, columns: ['letters=windows-1252'] } });
    expect(firstNames(western)).toEqual(['Hélène', 'Jérôme', 'Michèle']);
    const central = await importing(content, { account, input: { ...update, columns: ['letters=windows-1250'] } });
    expect(firstNames(central)).toEqual(['Hélčne', 'Jérôme', 'Michčle']);
    // The form of the columns begins with them, as they were said.
    const columns = ['ask', 'letters=windows-1250'];
    const again = askedBy((await importing(content, { account, input: { ...update, columns } })).outcome)!;
    expect(again.columns.map(({ title }) => title)).toEqual(['Letters', 'E-mail', 'First name']);
    expect(chosen(again)).toEqual(['letters=windows-1250', '0=email_address', '1=first_name']);
  });

  test('are decided by titles of one language where several ways give names', async () => {
    const french = written(csv(['Hélène', 'Jérôme'], 'E-mail,Prénom'), 'windows-1252')!;
    expect(firstNames(await importing(french, { input: update }))).toEqual(['Hélène', 'Jérôme']);
    const polish = written(csv(['Zając', 'Stańko'], 'E-mail,Nazwisko'), 'windows-1250')!;
    expect(askedBy((await importing(polish)).outcome)?.columns[0]?.title).toBe('Letters');
  });

  test('are the right ones or asked about, whatever the names, the language and the encoding', async () => {
    const alphabets = 'äöüß àâçéèêëîïôùûüœæ áéíóúñü éèëïöü ąćęłńóśźż áčďéěíňóřšťúůýž áéíóöőúüű çğıöşüâîû abc'.split(
      ' ',
    );
    const nameIn = (alphabet: string) =>
      fc
        .tuple(
          fc.constantFrom(...Array.from(`${alphabet.toUpperCase().replace('SS', '')}ABDEGJKLMNRSTZ`)),
          fc.array(fc.constantFrom(...Array.from(`${alphabet}aeiourstlnmkz`)), { minLength: 1, maxLength: 7 }),
        )
        .map(([first, rest]) => first + rest.join(''));
    const names = fc
      .constantFrom(...alphabets)
      .chain((alphabet) => fc.array(nameIn(alphabet), { minLength: 1, maxLength: 4 }));
    const seen = { asked: 0, read: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.array(names, { minLength: 1, maxLength: 2 }),
        fc.constantFrom(...excels),
        async (all, encoding) => {
          const people = all.flat();
          const content = written(csv(people), encoding);
          fc.pre(content !== undefined);
          const done = await importing(content, { input: update });
          if (askedBy(done.outcome)?.columns[0]?.title === 'Letters') {
            seen.asked++;
            return;
          }
          seen.read++;
          expect(done.problems).toEqual([]);
          expect(firstNames(done)).toEqual(people);
        },
      ),
      { numRuns: runs(100) },
    );
    expect(seen.read).toBeGreaterThan(seen.asked);
  });

  test('that look like broken ones stay where a language has them', async () => {
    expect(firstNames(await importing(csv(['Âşık', 'Łucja']), { input: update }))).toEqual(['Âşık', 'Łucja']);
  });

  test.each([
    ['JÃ¶rg', 'Another program broke the letters of “JÃ¶rg”, which may be “Jörg”. Correct the row, then try again.'],
    [
      'Ĺ»aneta',
      'Another program broke the letters of “Ĺ»aneta”, which may be “Żaneta”. Correct the row, then try again.',
    ],
    [
      'Oâ€™Brien',
      'Another program broke the letters of “Oâ€™Brien”, which may be “O’Brien”. Correct the row, then try again.',
    ],
    ['J√∂rg', 'Another program broke the letters of “J√∂rg”, which may be “Jörg”. Correct the row, then try again.'],
    ['£ukasz', '“£ukasz” isn’t a name: another program lost letters of it. Correct the row, then try again.'],
    ['J?rg', '“J?rg” isn’t a name: another program lost letters of it. Correct the row, then try again.'],
  ])('that another program broke are a mistake of their row: %s', async (name, sentence) => {
    const { problems, preview } = await importing(csv([name, 'Łucja']), { input: update });
    expect(preview?.counts).toEqual({ invalid: 1, update: 1 });
    expect(problems).toEqual([`2: ${sentence}`]);
  });
});
