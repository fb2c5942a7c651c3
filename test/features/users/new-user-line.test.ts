import { expect, test } from 'vitest';
import { parseNewUser } from '../../../src/features/users/new-user-line.ts';

test.each([
  ['', { user_name: [''] }],
  ['jo@x.example', { user_name: ['jo@x.example'] }],
  ['jo@x.example Jo', { user_name: ['jo@x.example'], user_type: ['respondent'], first_name: ['Jo'] }],
  [
    'jo@x.example Jo March',
    { user_name: ['jo@x.example'], user_type: ['respondent'], first_name: ['Jo'], last_name: ['March'] },
  ],
  [
    'jo@x.example Jo van der Berg as Trainer',
    { user_name: ['jo@x.example'], user_type: ['trainer'], first_name: ['Jo'], last_name: ['van der Berg'] },
  ],
  [
    'jo@x.example “Jo Ann” March',
    { user_name: ['jo@x.example'], user_type: ['respondent'], first_name: ['Jo Ann'], last_name: ['March'] },
  ],
  ['jo@x.example as trainer', { user_name: ['jo@x.example'], user_type: ['trainer'] }],
  [
    'jo@x.example Jo as March',
    { user_name: ['jo@x.example'], user_type: ['respondent'], first_name: ['Jo'], last_name: ['as March'] },
  ],
  ['as trainer', { user_name: [''], user_type: ['respondent'], first_name: ['as'], last_name: ['trainer'] }],
  ['Kim Doe', { user_name: [''], user_type: ['respondent'], first_name: ['Kim'], last_name: ['Doe'] }],
  [
    '"Ana Maria" "de la Cruz" ana@example.org',
    {
      user_name: ['ana@example.org'],
      user_type: ['respondent'],
      first_name: ['Ana Maria'],
      last_name: ['de la Cruz'],
    },
  ],
  ['kdoe Kim Doe', { user_name: ['kdoe'], user_type: ['respondent'], first_name: ['Kim'], last_name: ['Doe'] }],
])('“%s” describes the user %j', (line, input) => {
  expect(parseNewUser(line)).toEqual([input]);
});
