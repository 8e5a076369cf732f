#ifndef SIGNALBOX_CSLOWDISK_H
#define SIGNALBOX_CSLOWDISK_H

/// Has each sync of the files that are opened from now on take so much longer; 0 for none.
///
/// Files that are open keep what they had. It is called while no file is being opened.
void slow_disk_use(int microseconds);

#endif
