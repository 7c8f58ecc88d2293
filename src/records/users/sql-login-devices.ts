import { Injectable } from '@nestjs/common';
import { DEVICE_LIFE_S, LoginDevices, type LoginDevice, type NewLoginDevice } from '../../core/users/login-devices.js';
import { SystemStatements } from '../../platform/database/statements.js';

const MOST_OF_A_USER = 20;

const INSERT = `with gone as (delete from login_devices where ctid = any (array(
    select ctid from login_devices where expires_at < sutura_now() limit 20 for update skip locked)) or sha256 in (
      select sha256 from login_devices where user_id = $2 and sha256 is distinct from $4 order by expires_at desc offset ${MOST_OF_A_USER - 1})
    or (sha256 = $4 and user_id = $2))
  insert into login_devices (sha256, user_id, expires_at) select $1, $2, sutura_now() + make_interval(secs => ${DEVICE_LIFE_S}) from (
    -- Waits for a reset that holds the row, which ends what it finds.
    select from users where id = $2 and disabled_at is null and password_hash = $3 for share) as unchanged`;
const IS_OF = `select exists (select from login_devices d join users u on u.id = d.user_id
  where d.sha256 = $1 and u.name = $2 and d.expires_at > sutura_now()) as known`;

@Injectable()
export class SqlLoginDevices extends LoginDevices {
  constructor(private readonly statements: SystemStatements) {
    super();
  }

  async insert({ sha256, userId, passwordHash, former }: NewLoginDevice): Promise<void> {
    const replaced = former === null ? null : Buffer.from(former.sha256);
    await this.statements.run(INSERT, [Buffer.from(sha256), userId, passwordHash, replaced]);
  }

  async isOf({ sha256 }: LoginDevice, name: string): Promise<boolean> {
    const { rows } = await this.statements.run<{ known: boolean }>(IS_OF, [Buffer.from(sha256), name]);
    return rows[0]?.known ?? false;
  }
}
