/** The person who took a decision. */
export interface Reviewer {
  /** As your system knows them. */
  id: string;
  name: string;
  /** URI of the numbering that id belongs to. */
  system?: string;
}
