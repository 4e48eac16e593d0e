import { Body, Get, Param, Post } from '@nestjs/common';
import {
  AccountsRepository,
  ButtonForm,
  CurrentSession,
  DomainError,
  Field,
  type FieldErrors,
  type Fields,
  FoldedForm,
  isCalendarDate,
  minorDigits,
  Money,
  Page,
  type PageReply,
  parseMinor,
  redirectTo,
  refuse,
  SelectField,
  type Session,
  textOf,
  WebPage,
} from '../../../src/kit.js';
import { type GoalRow, SavingsGoalsService } from './savings-goals.service.js';

const ALL = { page: 1, per_page: 100 };

@WebPage('goals')
export class SavingsGoalsPageController {
  constructor(
    private readonly goals: SavingsGoalsService,
    private readonly accounts: AccountsRepository,
  ) {}

  @Get()
  async show(@CurrentSession() { userId }: Session): Promise<PageReply> {
    return this.#page(userId);
  }

  @Post()
  async create(@CurrentSession() { userId }: Session, @Body() body: Fields): Promise<PageReply> {
    const [accountId, name, day] = [textOf(body, 'account_id'), textOf(body, 'name'), textOf(body, 'due_on')];
    const account = await this.accounts.findById(userId, accountId);
    const targetMinor = parseMinor(textOf(body, 'target'), minorDigits(account?.currency ?? '') ?? 2);
    const errors: FieldErrors = {};
    if (name === '' || name.length > 200) errors.name = 'Enter a name of at most 200 characters.';
    if (targetMinor === null || targetMinor <= 0) errors.target = 'Enter an amount such as 5000 or 49.90.';
    if (day !== '' && !isCalendarDate(day)) errors.due_on = 'Enter a day such as 2027-06-30.';
    if (Object.keys(errors).length === 0) {
      try {
        await this.goals.create(userId, { accountId, name, targetMinor: targetMinor!, dueOn: day || null });
        return redirectTo('/goals');
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        errors.account_id = error.message;
      }
    }
    return refuse(await this.#page(userId), errors);
  }

  @Post(':id/remove')
  async remove(@CurrentSession() { userId }: Session, @Param('id') id: string): Promise<PageReply> {
    await this.goals.remove(userId, id);
    return redirectTo('/goals');
  }

  async #page(userId: string) {
    const { rows } = await this.goals.list(userId, ALL);
    const accounts = await this.accounts.list(userId);
    return (
      <Page title="Savings goals" lead="What you want to have in an account, and what it lacks." isReading>
        <ul class="card rows" aria-label="Your goals">
          {rows.map((goal) => (
            <Goal key={goal.id} goal={goal} />
          ))}
        </ul>
        <FoldedForm class="card" title="New goal" action="/goals" submit="Set goal" open={rows.length === 0}>
          <SelectField
            name="account_id"
            label="Account"
            selected=""
            options={accounts.map(({ id, name }) => ({ value: id, text: name }))}
          />
          <Field name="name" label="Name" required maxLength={200} />
          <Field name="target" label="Amount" required />
          <Field name="due_on" label="By" type="date" />
        </FoldedForm>
      </Page>
    );
  }
}

function Goal({ goal }: { goal: GoalRow }) {
  const { id, name, currency, targetMinor, missingMinor, dueOn, state } = goal;
  return (
    <li class="line">
      <div>
        <p>
          <b>{name}</b> <Money minor={targetMinor} currency={currency} />
        </p>
        <p class="quiet small">
          {state === 'reached' && 'Reached.'}
          {state !== 'reached' && missingMinor !== null && (
            <>
              <Money minor={missingMinor} currency={currency} /> missing
            </>
          )}
          {state !== 'reached' && dueOn && ` by ${dueOn}`}
        </p>
      </div>
      <ButtonForm action={`/goals/${id}/remove`}>Remove</ButtonForm>
    </li>
  );
}
