import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayNotEmpty, ArrayUnique, IsArray, IsIn, IsString, MaxLength, ValidateBy } from 'class-validator';
import { IfGiven, Trimmed } from '../../../http/input/validators.js';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '../event-types.js';
import { ENDPOINT_STATUSES, type EndpointStatus } from './webhook-endpoint.entity.js';

export const MAX_URL_CHARS = 2_000;
export const MAX_DESCRIPTION_CHARS = 200;

/** Whether a text is an address of the web; the rules of the network may still forbid it. */
export function isWebAddress(text: string): boolean {
  return text.length <= MAX_URL_CHARS && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function IsWebAddress(): PropertyDecorator {
  return ValidateBy({
    name: 'isWebAddress',
    validator: {
      validate: (value) => typeof value === 'string' && isWebAddress(value),
      defaultMessage: () => `url must be an https address of at most ${MAX_URL_CHARS} characters`,
    },
  });
}

const Url = () => applyDecorators(Trimmed(), IsWebAddress());

const DESCRIPTION_PROBLEM = { message: `description must be a text of at most ${MAX_DESCRIPTION_CHARS} characters` };
const Description = () =>
  applyDecorators(
    IfGiven(),
    Trimmed(),
    IsString(DESCRIPTION_PROBLEM),
    MaxLength(MAX_DESCRIPTION_CHARS, DESCRIPTION_PROBLEM),
  );

const TYPES_PROBLEM = { message: `event_types must be a list of: ${WEBHOOK_EVENT_TYPES.join(', ')}` };
const EventTypes = () =>
  applyDecorators(
    IfGiven(),
    IsArray(TYPES_PROBLEM),
    ArrayNotEmpty(TYPES_PROBLEM),
    ArrayUnique(TYPES_PROBLEM),
    IsIn(WEBHOOK_EVENT_TYPES, { each: true, ...TYPES_PROBLEM }),
  );

const URL_PROPERTY = {
  format: 'uri',
  example: 'https://hooks.example/tidemark',
  minLength: 1,
  maxLength: MAX_URL_CHARS,
  description: 'An https address on the public internet.',
};
const DESCRIPTION_PROPERTY = { example: 'Household spreadsheet', maxLength: MAX_DESCRIPTION_CHARS };
const TYPES_PROPERTY = {
  enum: WEBHOOK_EVENT_TYPES,
  isArray: true,
  minItems: 1,
  uniqueItems: true,
  example: ['balances.changed', 'sync.finished'],
};

export class CreateWebhookRequest {
  @ApiProperty(URL_PROPERTY)
  @Url()
  url: string;

  @ApiPropertyOptional({ ...DESCRIPTION_PROPERTY, default: '' })
  @Description()
  description: string = '';

  @ApiPropertyOptional({ ...TYPES_PROPERTY, description: 'The events to send. Without it: all.' })
  @EventTypes()
  event_types: WebhookEventType[] = [...WEBHOOK_EVENT_TYPES];
}

export class EditWebhookRequest {
  @ApiPropertyOptional(URL_PROPERTY)
  @IfGiven()
  @Url()
  url?: string;

  @ApiPropertyOptional(DESCRIPTION_PROPERTY)
  @Description()
  description?: string;

  @ApiPropertyOptional(TYPES_PROPERTY)
  @EventTypes()
  event_types?: WebhookEventType[];

  @ApiPropertyOptional({
    enum: ENDPOINT_STATUSES,
    description: '`disabled`: nothing is sent. `enabled`: it gets all changes since then, in order.',
  })
  @IfGiven()
  @IsIn(ENDPOINT_STATUSES, { message: `status must be one of: ${ENDPOINT_STATUSES.join(', ')}` })
  status?: EndpointStatus;
}
