/** The client of Sutura: photo of a wound in, outline, area and report out. Begin with {@link SuturaClient}. */
package dev.sutura.sdk;
