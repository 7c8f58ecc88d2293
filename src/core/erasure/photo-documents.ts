import type { TenantTransaction } from '../ports/unit-of-work.js';

/** Documents that show photos, and reports that say what became of them. */
export abstract class PhotoDocuments {
  /**
   * Erases every document that shows the photo, and gives each of their reports a version that says that it was deleted. In the transaction of
   * the deletion, which holds the image: a document that is being made waits, and is made without the photo. A repeat does nothing.
   */
  abstract erase(transaction: TenantTransaction, imageId: string): Promise<void>;
}
