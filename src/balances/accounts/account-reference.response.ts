import { ApiSchema } from '@nestjs/swagger';
import { Id, Text } from '../../http/members.js';

/** The account of a record. Its schema has the name under which clients know it. */
@ApiSchema({ name: 'TransactionAccount' })
export class AccountReference {
  @Id({ from: 'account_id' })
  id: string;

  @Text({ from: 'account_name', example: 'Everyday Checking' })
  name: string;
}
