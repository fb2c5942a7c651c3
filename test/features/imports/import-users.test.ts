import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Profile } from '../../../src/operations/services/people.ts';
import { newUser, type BatchPlan } from '../../../src/domain/batch.ts';
import type { TextInput } from '../../../src/operations/text-input.ts';
import { plainSentence } from '../../../src/domain/said.ts';
import { openHouse } from '../../support/house.ts';
import type { Shown } from '../../../src/operations/define-plan.ts';
import { importPlanPage } from '../../../src/features/imports/pages.ts';
import { ada, importing, operation, uma } from './importing.ts';
import { runs } from '../../support/drawn.ts';

const refusal = async (content: string, options: Parameters<typeof importing>[1] = {}) => {
  const { outcome } = await importing(content, options);
  return 'message' in outcome ? plainSentence(outcome.message) : outcome.kind;
};

describe('an import of a file', () => {
  test('creates the people whom the account does not have, with groups, quizzes, type and rights', async () => {
    const { preview, plan, table, account } = await importing(
      'E-Mail;Given Name;Surname;Groups;Quizzes;User type;Rights;Hobby\nzoe@quiz.example;Zoë;Åberg;Crew, Warehouse;fire saf;Trainer;Edit quizzes|manage_users;Chess\nbo@quiz.example;Bo;;;;;;\n',
    );
    expect(preview).toMatchObject({
      source: 'new-hires.csv',
      counts: { create: 2 },
      problems: [],
      privileged: ['Zoë Åberg'],
    });
    expect(preview?.notices.map(plainSentence)).toEqual(['The bot doesn’t know the column “Hobby” and ignores it.']);
    expect(plan?.content).toMatchObject({ kind: 'batch', operation: 'import-users', approval: null });
    expect(plainSentence(plan?.content.action ?? '')).toBe('create 2 users from “new-hires.csv”');
    expect(plan?.content.rows).toEqual([
      {
        kind: 'change',
        name: 'Zoë Åberg',
        words:
          'new trainer who can edit quizzes and manage users, joins \u2068Crew\u2069 and \u2068Warehouse\u2069, gets \u2068Fire safety\u2069',
        changes: [
          {
            operation: 'create-user',
            input: {
              user_name: ['zoe@quiz.example'],
              user_type: ['trainer'],
              first_name: ['Zoë'],
              last_name: ['Åberg'],
              flags: ['edit_quizzes', 'manage_users'],
            },
          },
          { operation: 'add-to-group', input: { user: [newUser], group: ['g-1'] } },
          { operation: 'add-to-group', input: { user: [newUser], group: ['g-2'] } },
          { operation: 'assign-quiz', input: { quiz: ['q-1'], to: [`user:${newUser}`] } },
        ],
        notify: [{ quizId: 'q-1', quizName: 'Fire safety' }],
      },
      {
        kind: 'change',
        name: 'Bo',
        words: 'new respondent',
        changes: [
          {
            operation: 'create-user',
            input: { user_name: ['bo@quiz.example'], user_type: ['respondent'], first_name: ['Bo'] },
          },
        ],
        notify: [],
      },
    ]);
    expect(table).toBe(
      'E-Mail,Given Name,Surname,Groups,Quizzes,User type,Rights,outcome,user_id,error\r\nzoe@quiz.example,Zoë,Åberg,"Crew, Warehouse",fire saf,Trainer,Edit quizzes|manage_users,would be created,,\r\nbo@quiz.example,Bo,,,,,,would be created,,\r\n',
    );
    expect(account.calls.map(({ call }) => call).filter((call) => /create|update|assign/.test(call))).toEqual([]);
  });

  test.each(['ja;nein', 'oui;non', 'sí;no', 'ja;nee', 'tak;nie'])(
    'reads yes and no in the language of the file: %s',
    async (cells) => {
      const { plan } = await importing(
        `E-Mail;Given Name;User type;Edit quizzes;Manage groups\nzoe@quiz.example;Zoë;trainer;${cells}\n`,
      );
      expect(plan?.content.rows).toMatchObject([
        { changes: [{ operation: 'create-user', input: { user_type: ['trainer'], flags: ['edit_quizzes'] } }] },
      ]);
    },
  );

  test('does what the form says for all of them', async () => {
    const { plan } = await importing('E-mail,Name\nzoe@quiz.example,"Åberg, Zoë"\n', {
      input: {
        user_type: ['trainer'],
        groups: ['Crew', 'Warehouse'],
        quizzes: ['Ladders', 'Fire safety'],
        welcome: ['send'],
      },
    });
    expect(plan?.content.rows).toMatchObject([
      {
        changes: [
          { input: { user_type: ['trainer'], first_name: ['Zoë'], last_name: ['Åberg'], welcome: ['send'] } },
          { input: { group: ['g-1'] } },
          { input: { group: ['g-2'] } },
          { input: { quiz: ['q-3'] } },
          { input: { quiz: ['q-1'] } },
        ],
      },
    ]);
  });

  test('leaves people who are users already as they are, unless they are to be updated', async () => {
    const content =
      'E-mail,First name,Last name,Groups\nada@quiz.example,Ada,,Crew\numa@quiz.example,,Silva,Warehouse\n';
    const { preview, table } = await importing(content);
    expect(preview).toMatchObject({ counts: { same: 1, differs: 1 }, canStart: false });
    expect(table?.split('\r\n').slice(1, 3)).toEqual([
      'ada@quiz.example,Ada,,Crew,unchanged,u-ada,',
      'uma@quiz.example,,Silva,Warehouse,left as it is,u-uma,"Already a user, and differs in the last name and groups."',
    ]);
    const { plan, preview: updating } = await importing(content, { input: { existing: ['update'] } });
    expect(updating?.counts).toEqual({ same: 1, update: 1 });
    expect(plan?.content).toMatchObject({
      rows: [
        { kind: 'none', outcome: { kind: 'same', userId: 'u-ada' } },
        {
          kind: 'change',
          userId: 'u-uma',
          words: 'changes the last name, joins \u2068Warehouse\u2069',
          changes: [
            { operation: 'update-user', input: { user: ['u-uma'], last_name: ['Silva'] } },
            { operation: 'add-to-group', input: { user: ['u-uma'], group: ['g-2'] } },
          ],
        },
      ],
    });
  });

  test('says of each row why it is left out, with its line', async () => {
    const { problems, preview } = await importing(
      [
        'User name,E-mail,First name,Last name,Type,Rights,Groups,Quizzes',
        ',,No,Address,,,,',
        ',not an address,Ann,Bo,,,,',
        'zoe@quiz.example,,Zoë,Åberg,,,,',
        ',ZOE@quiz.example,Zoë,Åberg,,,,',
        'ROSA@quiz.example,,Kim,Park,,,,',
        'ada@quiz.example,uma@quiz.example,Ada,,,,,',
        'kim,,Kim,Park,captain,,,',
        'kim,,Kim,Park,,manage_users,,',
        'kim,,Kim,Park,,,Cre; Nowhere,',
        'kim,,Kim,Park,,,,Fire',
        'ada@quiz.example,,Ada,,respondent,,,',
        '"kim","","Kim","Pa\nrk"',
        'kim,,Kim,Park,,,,,,too much',
        '',
        `kim,,${'x'.repeat(101)},Park`,
      ].join('\r\n'),
    );
    expect(problems).toEqual([
      '2: There’s no e-mail address and no user name.',
      '3: “not an address” isn’t an e-mail address.',
      '5: “ZOE@quiz.example” is in line 4 already.',
      '7: “Uma” already uses “uma@quiz.example”.',
      '8: Type: Choose Respondent, Trainer or Administrator.',
      '9: Respondents can’t have rights. Choose another type, or no rights.',
      '10: Groups: No group is called “Nowhere”.',
      '11: Quizzes: “Fire” fits 2 quizzes, such as “Fire drill” and “Fire safety”. Write the whole name.',
      '12: “Ada” is an administrator. An import takes no rights away: use `/quiz-user update`.',
      '13: Last name: There’s a line break or an invisible character in it.',
      '15: The row has 10 cells, and the first row of the file has 8.',
      '17: First name: This is 101 characters long, and 100 is the limit.',
    ]);
    expect(preview?.counts).toEqual({ create: 1, differs: 1, 'no address': 1, invalid: 8, repeated: 1, conflict: 2 });
  });

  test('makes a row with a damaged letter a mistake, and changes nothing else', async () => {
    const letters = fc.constantFrom(...Array.from('aeiouß ÄÖÜäöüÉÈÀÇéèêëàâçîïôûÿœæÁÍÓÚÑáíóúñĳĄĆĘŁŃÓŚŹŻąćęłńóśźż’'));
    const names = fc.array(letters, { minLength: 1, maxLength: 8 }).map((name) => `X${name.join('')}`);
    const stray = fc.tuple(fc.nat(10_000), fc.integer({ min: 0x80, max: 0xff }));
    const input = { existing: ['update'] };
    await fc.assert(
      fc.asyncProperty(
        fc.array(names, { minLength: 3, maxLength: 6 }),
        fc.nat(10),
        stray,
        async (some, at, [place, byte]) => {
          const people = ['ada', 'uma', 'zoe', 'bo', 'kim', 'ann'];
          const lines = some.map((name, row) => Buffer.from(`${people[row]}@quiz.example,Jörg ${name},Größe\n`));
          const hurt = at % lines.length;
          const line = lines[hurt]!;
          const before = place % line.length;
          const damaged = Buffer.concat([line.subarray(0, before), Buffer.of(byte), line.subarray(before)]);
          const csv = (content: readonly Buffer[]) =>
            Buffer.concat([Buffer.from('E-mail,First name,Last name\n'), ...content]);
          const whole = await importing(csv(lines), { input });
          const { plan, problems } = await importing(csv(lines.with(hurt, damaged)), { input });
          expect(problems).toEqual([
            `${hurt + 2}: The bot can’t read a letter in this row and shows it as “�”. Correct the row, save the list as UTF-8 (in Excel: “CSV UTF-8”), then try again.`,
          ]);
          const others = (rows: BatchPlan['rows'] = []) => rows.filter((_, row) => row !== hurt);
          expect(others(plan?.content.rows)).toEqual(others(whole.plan?.content.rows));
          expect(plan?.content.rows[hurt]?.kind).toBe('none');
        },
      ),
      { numRuns: runs(60) },
    );
  });

  test('offers to suspend users who are gone by the file, and changes nothing of them', async () => {
    const { preview, plan, table } = await importing(
      'E-mail,Name,Status\nrosa@quiz.example,Rosa Reis,Terminated\nzoe@quiz.example,Zoë Åberg,Active\nbo@quiz.example,Bo Berg,Deactivated\n',
      { input: { existing: ['update'] } },
    );
    expect(preview?.counts).toEqual({ create: 1, gone: 2 });
    expect(preview?.gone).toMatchObject([{ line: 2, person: 'Rosa Reis', suspend: 'u-rosa' }, { line: 4 }]);
    expect(preview?.gone?.[1]?.suspend).toBeUndefined();
    const page = importPlanPage(plan!.content, preview!, { id: plan!.id, canStart: true } as Shown);
    const items = page.parts?.flatMap((part) => part.items ?? []);
    expect(items?.map(({ steps }) => steps)).toEqual([
      [{ label: 'Suspend…', operation: 'suspend-user', input: { user: ['u-rosa'] }, opens: 'form' }],
      undefined,
    ]);
    expect(plan?.content.rows.map(({ kind }) => kind)).toEqual(['none', 'change', 'none']);
    expect(table).toContain(
      'rosa@quiz.example,Rosa Reis,Terminated,left out,u-rosa,The column “Status” says “Terminated”.',
    );
  });

  test('takes no new address for one that another row of the file has, in any case', async () => {
    const { preview } = await importing(
      'User name,E-mail\na@quiz.example,b@quiz.example\nb@quiz.example,c@quiz.example\n',
    );
    expect(preview?.counts).toEqual({ create: 1, repeated: 1 });
  });

  test('takes users who share an address each by their user name, new ones too, and says so once', async () => {
    const content = [
      'User name,E-mail,First name',
      'kiosk.1,kiosk@quiz.example,Ann',
      'kiosk.2,kiosk@quiz.example,Bo',
      'kiosk.2,kiosk@quiz.example,Cy',
      'kiosk.3,kiosk@quiz.example,Di',
    ].join('\n');
    const account = openHouse({ files: { F1: content } });
    const [one] = account.account.users;
    for (const at of [1, 2])
      account.account.users.push({
        ...one!,
        user_id: `u-kiosk-${at}`,
        user_name: `kiosk.${at}`,
        email_address: 'kiosk@quiz.example',
        first_name: 'Kiosk',
        last_name: '',
        user_type: 'respondent',
      });
    const { plan, problems, preview } = await importing(content, { account, input: { existing: ['update'] } });
    expect(plan?.content.rows.map((row) => row.kind === 'change' && row.userId)).toEqual([
      'u-kiosk-1',
      'u-kiosk-2',
      false,
      undefined,
    ]);
    expect(problems).toEqual(['4: “kiosk.2” is in line 3 already.']);
    expect(preview?.notices.map(plainSentence)).toContain(
      '1 new user would share an e-mail address with someone. In Slack, an address is its oldest user’s; the others take their quizzes with their user names.',
    );
  });

  test('shows a person nobody whom they may not see, only that an address is taken', async () => {
    const hidden = openHouse({ files: { F1: 'E-mail,Name\nhidden@quiz.example,Ada\n' } });
    hidden.account.users.push({
      ...hidden.account.users[0]!,
      user_id: 'u-hidden',
      user_name: 'hidden@quiz.example',
      groups: [],
    });
    const { outcome } = await importing('', { account: hidden, personId: uma });
    expect(outcome).toMatchObject({
      result: {
        plan: {
          imported: {
            problems: [
              { line: 2, note: 'Another user of the quiz account already uses \u2068hidden@quiz.example\u2069.' },
            ],
          },
        },
      },
    });
  });

  test('needs approval where the policy has another person decide on one of its rows', async () => {
    const approvalOf = async (content: string, personId: string, input: TextInput = {}) =>
      (await importing(content, { personId, input })).plan?.content.approval;
    const updating = { existing: ['update'] };
    expect(await approvalOf('E-mail,Name,Type\nzoe@quiz.example,Zoe Park,', uma)).toBeNull();
    for (const content of [
      'E-mail,Name,Type\nzoe@quiz.example,Zoe Park,trainer',
      'E-mail,Last name\nrosa@quiz.example,Reis',
    ]) {
      expect(await approvalOf(content, uma, updating)).toBe('privileged');
      expect(await approvalOf(content, ada, updating)).toBeNull();
    }
  });

  test('needs the rights for what its columns and the form give', async () => {
    expect(await refusal('E-mail,Groups\nzoe@quiz.example,Crew', { personId: uma })).toBe(
      'You can’t manage groups, so you can’t add people to them. Leave out the column with groups.',
    );
    expect(await refusal('E-mail,Quizzes\nzoe@quiz.example,Ladders', { personId: uma })).toBe(
      'You can’t edit quizzes, so you can’t assign them. Leave out the column with quizzes.',
    );
    expect(await refusal('E-mail\nzoe@quiz.example', { personId: uma, input: { quizzes: ['Ladders'] } })).toBe(
      'You can’t edit quizzes, so you can’t assign them.',
    );
    expect(await refusal('E-mail\nzoe@quiz.example', { personId: 'UERIN' })).toBe(
      'You can’t manage users. An administrator of the quiz account can give you the right.',
    );
  });

  test('asks for a column that is missing, and refuses what holds nothing', async () => {
    expect(await refusal('Vorname,Name\nZoë,Åberg')).toBe(
      'There’s no column with e-mail addresses. Call it “E-mail”, or “User name” if people sign in with something else. The first row has “Vorname” and “Name”.',
    );
    expect(await refusal('E-mail,User type,Account type\na@x.example,trainer,trainer')).toBe(
      'The columns “User type” and “Account type” both hold the type. Keep one of them.',
    );
    expect(await refusal('E-mail,Name\n')).toBe('The file has a first row with titles, and nothing below it.');
    expect(await refusal('PK\u0003\u0004xl/workbook.xml')).toMatch(/^This file is damaged or incomplete/);
  });

  test('stores nothing of a column that it does not know, and gives none of it back', async () => {
    const { account, preview, table, plan } = await importing(
      'E-mail,First name,Initial_Kw,Passwrd,Role,Rights,Salary\nzoe@quiz.example,Zoë,canary-a,canary-b,canary-c,canary-d,canary-e\n',
    );
    expect(preview?.notices.map(plainSentence).join(' ')).toMatch(/“Initial_Kw”.*“Passwrd”.*“Salary”/);
    expect(JSON.stringify([table, plan, account.logged(), await account.record()])).not.toContain('canary');
    expect(table).toBe('E-mail,First name,outcome,user_id,error\r\nzoe@quiz.example,Zoë,would be created,,\r\n');
  });

  test('keeps the addresses of the file out of the log and the audit trail', async () => {
    const { account } = await importing(
      'E-mail,First name,Groups\ncanary.one@secret.example,canary.two@secret.example,\ncanary.three@secret.example,Ann,canary.four@secret.example\nnot canary five,Bo,\n',
    );
    expect(JSON.stringify([account.logged(), await account.record()])).not.toMatch(/canary/);
  });

  test('takes back its own file, with apostrophes that the bot added taken off again', async () => {
    const first = await importing("E-mail,First name,Last name\nzoe@quiz.example,=Zoë,'=Åberg\nbad,Ann,-\n");
    const again = await importing(first.table ?? '');
    expect(first.preview?.counts).toEqual({ create: 1, invalid: 1 });
    expect(again.plan?.content.rows).toEqual(first.plan?.content.rows);
    expect(again.plan?.content.source).toEqual(first.plan?.content.source);
    expect(again.table).toBe(first.table);
    expect(again.preview?.notices).toEqual([]);
  });

  test('shows the preview also where its file cannot be sent', async () => {
    const addresses = Array.from({ length: 11 }, (_, at) => `zoe.${at}@quiz.example`);
    const account = openHouse({ files: { F1: ['E-mail', ...addresses].join('\n') } });
    account.sendFile.mockRejectedValue(new Error('no place for the file'));
    const { outcome } = await importing('', { account });
    expect(outcome).toMatchObject({
      result: {
        plan: {
          imported: { counts: { create: 11 }, notices: ['The bot couldn’t send you the file with every row.'] },
        },
      },
    });
  });

  test('costs at most one request for 5,000 rows', async () => {
    const rows = Array.from({ length: 5_000 }, (_, at) => `p${at}@quiz.example,Person,${at},Crew,Ladders`);
    const { preview, account } = await importing(['E-mail,First name,Last name,Groups,Quizzes', ...rows].join('\n'));
    expect(preview?.counts).toEqual({ create: 5_000 });
    expect(
      account.calls.map(({ call }) => call).filter((call) => !/^(?:quizzes|users|groups)\.list$/.test(call)),
    ).toEqual([]);
  });
});

describe('an import from a channel', () => {
  const profile = (personId: string, more: Partial<Profile> = {}): Profile => ({
    personId,
    firstName: 'Zoë',
    lastName: 'Åberg',
    emailAddress: `${personId.toLowerCase().replace(/^u(?=[a-z])/, '')}@quiz.example`,
    outsider: undefined,
    ...more,
  });
  const profiles = [
    profile('U1'),
    profile('UADA', { firstName: 'Ada', lastName: '' }),
    profile('U2', { firstName: 'Gil', lastName: 'Guest', outsider: 'guest' }),
    profile('U3', { firstName: 'Stan', lastName: 'Strange', outsider: 'stranger' }),
    profile('U4', { firstName: 'Dee', lastName: 'Gone', outsider: 'deactivated' }),
    profile('U5', { outsider: 'bot' }),
    profile('U6', { firstName: 'Mo', lastName: 'Mail', emailAddress: undefined }),
  ];
  const members = {
    C1: { personIds: profiles.map(({ personId }) => personId) },
    S1: { personIds: ['U1'] },
    C2: { personIds: [] },
  };

  test('creates its people, and says who is left out and why', async () => {
    const { preview, plan, problems } = await importing('', {
      input: { file: ['channel:C1|new-hires'] },
      profiles,
      members,
    });
    expect(preview).toMatchObject({ source: '#new-hires', counts: { create: 1, same: 1, outsider: 4 } });
    expect(problems?.map((problem) => problem.replace(/^\d+: /, ''))).toEqual([
      '“Gil Guest” is a guest in Slack.',
      '“Stan Strange” is from another company.',
      '“Dee Gone”’s Slack account is deactivated.',
      'Slack has no confirmed e-mail address of “Mo Mail”.',
    ]);
    expect(plan?.content.rows[0]).toMatchObject({
      changes: [{ input: { first_name: ['Zoë'], last_name: ['Åberg'], user_name: ['u1@quiz.example'] } }],
    });
  });

  test('takes user groups likewise, and refuses channels without people or that nobody may list', async () => {
    const { preview } = await importing('', { input: { file: ['usergroup:S1|kitchen-team'] }, profiles, members });
    expect(preview).toMatchObject({ source: '@kitchen-team', counts: { create: 1 } });
    expect(await refusal('', { input: { file: ['channel:C2|empty'] }, profiles, members })).toBe(
      'Nobody is in #empty.',
    );
    expect(await refusal('', { input: { file: ['channel:C3|secret'] }, profiles, members })).toBe('Nobody is in C3.');
  });

  test.each([
    ['', [{}]],
    ['from channel:C1|new-hires', [{ file: ['channel:C1|new-hires'], user_type: ['respondent'] }]],
    ['usergroup:S1|kitchen', [{ file: ['usergroup:S1|kitchen'], user_type: ['respondent'] }]],
  ])('is read from “%s”', (line, inputs) => {
    expect(operation.parse?.(line)).toEqual(inputs);
  });

  test.each(['from person:U1|rosa', 'new-hires.csv', 'from file:F1|x.csv', 'from channel:C1|a channel:C2|b'])(
    'cannot be typed as “%s”',
    (line) => {
      expect(() => operation.parse?.(line)).toThrow(/Type `\/quiz-user import` to choose a file/);
    },
  );
});
