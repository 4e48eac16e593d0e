import { ApiProperty, ApiSchema } from '@nestjs/swagger';

/** The account of a record. Its schema has the name under which clients know it. */
@ApiSchema({ name: 'TransactionAccount' })
export class AccountReference {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ example: 'Everyday Checking' })
  name: string;
}
