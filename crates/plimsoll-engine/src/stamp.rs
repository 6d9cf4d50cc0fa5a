//! When an answer reached this machine, as the kernel noted it.
//!
//! With the kernel's own time of arrival, an answer may be read a little later without making it slower than
//! it was. That lets a thread sleep through from one arrival of the open model to the next instead of waking
//! for each answer in between, which halves what a request costs at moderate rates. Linux only; elsewhere
//! nothing is stamped, and answers are read as they come.

use std::io;

use tokio::net::TcpStream;

/// Asks the kernel to note when data arrive; false where it cannot.
pub(crate) fn ask_for(stream: &TcpStream) -> bool {
    #[cfg(target_os = "linux")]
    {
        use nix::sys::socket::{setsockopt, sockopt::ReceiveTimestampns};
        setsockopt(stream, ReceiveTimestampns, &true).is_ok()
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = stream;
        false
    }
}

/// What one read brought.
pub(crate) struct Read {
    pub(crate) bytes: usize,
    /// How long ago the last of them arrived, in nanoseconds; 0 if the kernel did not note it.
    pub(crate) age: u64,
}

/// Reads what there is, and how long it has been there.
#[cfg(target_os = "linux")]
pub(crate) fn read(stream: &TcpStream, buffer: &mut [u8], control: &mut [u8]) -> io::Result<Read> {
    use std::os::fd::AsRawFd;

    use nix::sys::socket::{ControlMessageOwned, MsgFlags, recvmsg};

    let mut slices = [io::IoSliceMut::new(buffer)];
    let message = recvmsg::<()>(stream.as_raw_fd(), &mut slices, Some(control), MsgFlags::empty())?;
    let stamp = message.cmsgs()?.find_map(|control| match control {
        ControlMessageOwned::ScmTimestampns(stamp) => Some(stamp),
        _ => None,
    });
    Ok(Read { bytes: message.bytes, age: stamp.map_or(0, age_of) })
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn read(_: &TcpStream, _: &mut [u8], _: &mut [u8]) -> io::Result<Read> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Room for what the kernel adds to a read.
pub(crate) fn control_room() -> Vec<u8> {
    #[cfg(target_os = "linux")]
    return nix::cmsg_space!(nix::sys::time::TimeSpec);
    #[cfg(not(target_os = "linux"))]
    Vec::new()
}

/// The stamp is of the wall clock; its distance from the wall clock's now is good for any clock, unless the
/// wall clock is set in between, which voids the run anyway.
#[cfg(target_os = "linux")]
fn age_of(stamp: nix::sys::time::TimeSpec) -> u64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Realtime);
    let age = (now.tv_sec - stamp.tv_sec()) * 1_000_000_000 + (now.tv_nsec - stamp.tv_nsec());
    u64::try_from(age).unwrap_or(0)
}
